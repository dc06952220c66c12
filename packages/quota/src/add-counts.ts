import { hash } from 'node:crypto';
import type pg from 'pg';
import { millisecondsOf } from './clock.ts';
import type { Addition, Counts } from './usage.ts';

/**
 * The table of the counts. A row for each subject holds both windows and a ban. The columns from `per_minute` on are the input and the
 * result of the last statement: an upsert sees no other input.
 */
export const table = {
  up: `create table rate_limits (
      subject text primary key,
      minute integer not null,
      minute_count integer not null,
      day integer not null,
      day_count integer not null,
      banned_until bigint not null,
      per_minute integer not null,
      per_day integer not null,
      requested integer not null,
      granted integer not null,
      returned integer not null,
      returned_minute integer not null
    ) with (fillfactor = 50)`,
  down: 'drop table rate_limits',
};

/**
 * Adds to the counts of quotas in one upsert, by the database's clock. Row locks make it exact over all servers.
 *
 * @param time - SQL of the database's time
 * @param additions - SQL of rows of `Addition`, with at most one for each subject
 */
const upsert = (time: string, additions: string) => `
  with clock as materialized (
    -- The commit does not wait for the disk: a crash of Postgres forgets at most the last second of counts.
    select ${millisecondsOf(time)} as now, set_config('synchronous_commit', 'off', true)
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

/** The type of each value of an addition. */
const COLUMNS: Record<keyof Addition, string> = {
  subject: 'text',
  perMinute: 'integer',
  perDay: 'integer',
  take: 'integer',
  give: 'integer',
  givenMinute: 'integer',
  bannedUntil: 'bigint',
};

const NAMES = Object.keys(COLUMNS) as (keyof Addition)[];
const listed = (write: (name: keyof Addition, index: number) => string) => NAMES.map(write).join(', ');

/** Prepares the statement once on each connection. One addition takes three quarters of the CPU time of a list of one. */
export function countsAdder(pool: pg.Pool, time: string) {
  const [one, many] = [
    `(select ${listed((name, index) => `$${index + 1}::${COLUMNS[name]} as "${name}"`)}) as addition`,
    `json_to_recordset($1::json) as addition (${listed((name) => `"${name}" ${COLUMNS[name]}`)})`,
  ].map((additions) => {
    const text = upsert(time, additions);
    return { name: `add_counts_${hash('sha256', text).slice(0, 8)}`, text };
  });
  return async (additions: [Addition, ...Addition[]]): Promise<Counts[]> => {
    const [first] = additions;
    const query = additions.length === 1 ? one : many;
    const values = additions.length === 1 ? NAMES.map((name) => first[name]) : [JSON.stringify(additions)];
    const { rows } = await pool.query<Counts>({ ...query, values } as pg.QueryConfig);
    // A pool may read a bigint as a text.
    return rows.map((row) => ({ ...row, now: Number(row.now), bannedUntil: Number(row.bannedUntil) }));
  };
}
