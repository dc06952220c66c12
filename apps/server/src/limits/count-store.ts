import { sql } from 'kysely';
import { NOW } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement } from '../database/statement.ts';
import type { BanPolicy, Check, Entry } from './entry.ts';

/**
 * What to do for a subject: return `reserved`, admit `requested` as far as both windows allow, and reserve up to `wanted`
 * further ones, at most 1 % of those that remain.
 */
export type CountRequest = Check & Pick<Entry, 'requested' | 'wanted' | 'reserved' | 'reservedMinute'>;

type State = 'subject' | 'minute' | 'minuteCount' | 'day' | 'dayCount' | 'refusedAt' | 'bannedUntil' | 'reserved';

/** The new state of a subject. Both the admitted and the further requests are `reserved`. */
export interface CountRow extends Pick<Entry, State> {
  /** The time of the statement, Unix time in milliseconds. */
  now: number;
  /** The further requests alone. */
  spare: number;
}

/**
 * Counts for many subjects in one upsert, by the database's clock. Row locks make it exact over all servers: as many of
 * `requested` are admitted as both windows have left. Refused requests use up nothing; they count towards a ban unless the
 * first refusal of the minute was less than a second ago, when they may have been on their way.
 *
 * @param requests - at most one for each subject
 */
export function countRequests(db: DatabaseHandle, requests: CountRequest[], ban: BanPolicy): Promise<CountRow[]> {
  return upsertCounts(db.pool, { requests: JSON.stringify(requests), ...ban });
}

const upsertCounts = statement<BanPolicy & { requests: string }, CountRow>(
  'count_requests',
  (value) => sql`
    with clock as materialized (
      -- The commit does not wait for the disk: a crash of Postgres forgets at most the last second of counts.
      select ${NOW} as now, set_config('synchronous_commit', 'off', true)
    )
    insert into rate_limits as c (subject, minute, minute_count, day, day_count, rejected, refused_at, banned_until,
      per_minute, per_day, requested, admitted, spare, returned, returned_minute)
    select subject, now / 60000, admitted + spare, now / 86400000, admitted + spare,
      0, case when admitted < requested then now else 0 end, 0,
      per_minute, per_day, requested, admitted, spare, returned, returned_minute
    from clock, rows from (json_to_recordset(${value('requests')}::json) as (subject text, "perMinute" integer,
        "perDay" integer, requested integer, wanted integer, reserved integer, "reservedMinute" integer))
        as request (subject, per_minute, per_day, requested, wanted, returned, returned_minute),
      lateral (select least(requested, per_minute, per_day) as admitted) as first,
      lateral (select least(wanted, (least(per_minute, per_day) - admitted) / 100) as spare) as ahead
    -- Servers lock rows in the same order, so they cannot deadlock.
    order by subject
    on conflict (subject) do update set
      per_minute = excluded.per_minute, per_day = excluded.per_day, requested = excluded.requested,
      returned = excluded.returned, returned_minute = excluded.returned_minute,
      (minute, minute_count, day, day_count, rejected, refused_at, banned_until, admitted, spare) = (
      select minute_now, minute_used + admitted_now + reserved, day_now, day_used + admitted_now + reserved,
        rejected_now, case when refused > 0 and first_refusal = 0 then now else first_refusal end,
        case when banned then c.banned_until when refused > 0 and rejected_now >= ${value('after')}::integer
          then now + ${value('duration')}::bigint else 0 end,
        admitted_now, reserved
      from clock,
        -- A statement that waited for the lock of a row may be a minute behind it. A row further ahead, or with a ban of more
        -- than the maximum, was written before the database's clock was set back.
        lateral (select c.minute in (excluded.minute, excluded.minute + 1) as same_minute,
          c.banned_until > now and c.banned_until <= now + ${value('duration')}::bigint as banned) as row,
        -- With offset, Postgres computes it once, not at each use.
        lateral (select case when same_minute then c.minute else excluded.minute end as minute_now,
          case when same_minute then c.minute_count
            - case when c.minute = excluded.returned_minute then excluded.returned else 0 end else 0 end as minute_used,
          case when same_minute then c.day else excluded.day end as day_now,
          case when same_minute or c.day = excluded.day then c.day_count
            - case when c.day = excluded.returned_minute / 1440 then excluded.returned else 0 end else 0 end as day_used,
          case when same_minute then c.rejected else 0 end as rejected_before,
          case when same_minute then c.refused_at else 0 end as first_refusal offset 0) as before,
        lateral (select case when banned then 0 else greatest(0, least(
          excluded.per_minute - minute_used, excluded.per_day - day_used)) end as remaining offset 0) as both_windows,
        lateral (select least(excluded.requested, remaining) as admitted_now) as grant_now,
        lateral (select least(excluded.spare, (remaining - admitted_now) / 100) as reserved,
          case when banned then 0 else excluded.requested - admitted_now end as refused) as grant_ahead,
        lateral (select rejected_before
          + case when first_refusal > 0 and now - first_refusal >= 1000 then refused else 0 end as rejected_now) as ban)
    returning subject, (select now from clock) as now, minute, minute_count - admitted - spare as "minuteCount",
      day, day_count - admitted - spare as "dayCount", refused_at as "refusedAt", banned_until as "bannedUntil",
      admitted + spare as reserved, spare`,
);
