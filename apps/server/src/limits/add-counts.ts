import { sql } from 'kysely';
import { NOW } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import type { Quota } from './usage.ts';

/** Takes up to `take` requests, gives back `give` of the minute `givenMinute`, and ends a ban at `bannedUntil` unless that is 0. */
export type Addition = Quota & Record<'take' | 'give' | 'givenMinute' | 'bannedUntil', number>;

/** A row after that. Times are Unix time in milliseconds, minutes and days are since the Unix epoch. */
export interface Counts {
  subject: string;
  now: number;
  /** Requests that were taken: as many as both windows had left. */
  granted: number;
  minute: number;
  minuteCount: number;
  day: number;
  dayCount: number;
  /** 0 without a ban. */
  bannedUntil: number;
}

/**
 * Adds to the counts of many quotas in one upsert, by the database's clock. Row locks make it exact over all servers.
 *
 * @param additions - at most one for each subject
 */
export function addCounts(db: DatabaseHandle, additions: Addition[]): Promise<Counts[]> {
  return upsertCounts(db.pool, { additions: JSON.stringify(additions) });
}

const upsertCounts = statement<{ additions: string }, Counts>(
  'add_counts',
  (value) => sql`
    with clock as materialized (
      -- The commit does not wait for the disk: a crash of Postgres forgets at most the last second of counts.
      select ${NOW} as now, set_config('synchronous_commit', 'off', true)
    )
    -- An upsert sees no input but the row that it would insert.
    insert into rate_limits as c (subject, minute, minute_count, day, day_count, banned_until, admitted, rejected,
      per_minute, per_day, requested, returned, returned_minute)
    select subject, now / 60000, granted, now / 86400000, granted, "bannedUntil", granted, 0,
      "perMinute", "perDay", take, give, "givenMinute"
    from clock, json_to_recordset(${value('additions')}::json) as addition (subject text, "perMinute" integer,
        "perDay" integer, take integer, give integer, "givenMinute" integer, "bannedUntil" bigint),
      least(take, "perMinute", "perDay") as granted
    -- Servers lock rows in the same order, so they cannot deadlock.
    order by subject
    on conflict (subject) do update set
      -- Servers of the previous version count refusals here.
      rejected = 0, refused_at = 0,
      banned_until = coalesce(nullif(excluded.banned_until, 0), c.banned_until),
      (minute, minute_count, day, day_count, admitted) = (
      select minute_now, minute_used + granted, day_now, day_used + granted, granted
      from
        -- A statement that waited for the lock of a row may be a minute behind it. A row further ahead was written before the
        -- database's clock was set back.
        (select c.minute in (excluded.minute, excluded.minute + 1) as same_minute) as row,
        -- With offset, Postgres computes it once, not at each use.
        lateral (select case when same_minute then c.minute else excluded.minute end as minute_now,
          case when same_minute then c.minute_count
            - case when c.minute = excluded.returned_minute then excluded.returned else 0 end else 0 end as minute_used,
          case when same_minute then c.day else excluded.day end as day_now,
          case when same_minute or c.day = excluded.day then c.day_count
            - case when c.day = excluded.returned_minute / 1440 then excluded.returned else 0 end else 0 end as day_used
          offset 0) as used,
        greatest(0, least(excluded.requested, excluded.per_minute - minute_used, excluded.per_day - day_used)) as granted)
    returning subject, (select now from clock) as now, admitted as granted, minute, minute_count as "minuteCount",
      day, day_count as "dayCount", banned_until as "bannedUntil"`,
);
