import { type RawBuilder, sql } from 'kysely';
import { NOW } from '../database/clock.ts';
import { statement } from '../database/statement.ts';
import type { Addition, Counts } from './usage.ts';

/**
 * Adds to the counts of quotas in one upsert, by the database's clock. Row locks make it exact over all servers. It is SQL, as the
 * builder cannot set several columns from a select.
 *
 * @param additions - rows of `Addition`, with at most one for each subject
 */
const upsert = (additions: RawBuilder<unknown>) => sql<Counts>`
  with clock as materialized (
    -- The commit does not wait for the disk: a crash of Postgres forgets at most the last second of counts.
    select ${NOW} as now, set_config('synchronous_commit', 'off', true)
  )
  -- An upsert sees no input but the row that it would insert.
  insert into rate_limits as c (subject, minute, minute_count, day, day_count, banned_until, granted,
    per_minute, per_day, requested, returned, returned_minute)
  select subject, now / 60000, granted, now / 86400000, granted, "bannedUntil", granted,
    "perMinute", "perDay", take, give, "givenMinute"
  from clock, ${additions}, least(take, "perMinute", "perDay") as granted
  -- Servers lock rows in the same order, so they cannot deadlock.
  order by subject
  on conflict (subject) do update set
    banned_until = coalesce(nullif(excluded.banned_until, 0), c.banned_until),
    (minute, minute_count, day, day_count, granted) = (
    select this_minute, minute_used + granted, this_minute / 1440, day_used + granted, granted
    from
      -- A statement that waited for the lock of a row may be a minute behind it. A row further ahead was written before the
      -- database's clock was set back.
      (select case when c.minute = excluded.minute + 1 then c.minute else excluded.minute end as this_minute) as clock,
      -- With offset, Postgres computes it once, not at each use.
      lateral (select case when c.minute <> this_minute then 0 when c.minute <> excluded.returned_minute then c.minute_count
          else greatest(0, c.minute_count - excluded.returned) end as minute_used,
        case when c.day <> this_minute / 1440 then 0 when c.day <> excluded.returned_minute / 1440 then c.day_count
          else greatest(0, c.day_count - excluded.returned) end as day_used offset 0) as used,
      greatest(0, least(excluded.requested, excluded.per_minute - minute_used, excluded.per_day - day_used)) as granted)
  returning subject, (select now from clock) as now, granted, minute, minute_count as "minuteCount",
    day_count as "dayCount", banned_until as "bannedUntil"`;

/** Adds to the counts of several quotas. `additions` is a JSON array of `Addition`. */
export const addCounts = statement<{ additions: string }, Counts>('add_counts', (value) =>
  upsert(sql`json_to_recordset(${value('additions')}::json) as addition (subject text, "perMinute" integer, "perDay" integer,
    take integer, give integer, "givenMinute" integer, "bannedUntil" bigint)`),
);

/** Adds to the counts of one quota, in three quarters of the CPU time. */
export const addCount = statement<Addition, Counts>('add_count', (value) =>
  upsert(sql`(select ${value('subject')}::text as subject, ${value('perMinute')}::integer as "perMinute",
    ${value('perDay')}::integer as "perDay", ${value('take')}::integer as take, ${value('give')}::integer as give,
    ${value('givenMinute')}::integer as "givenMinute", ${value('bannedUntil')}::bigint as "bannedUntil") as addition`),
);
