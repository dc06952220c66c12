import { sql } from 'kysely';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { DatabaseHandle } from '../database/open.ts';
import type { RateLimitTable } from '../database/schema.ts';
import { statement } from '../database/statement.ts';
import { type BanPolicy, type Policy, windowsAt } from './windows.ts';

/** What one statement asks about a subject. */
export interface CountRequest extends Policy {
  subject: string;
  /** Requests to admit as far as both windows allow. */
  requested: number;
  /** Requests that were admitted without the database: counted whatever the limit says. */
  spentMinute: number;
  spentDay: number;
  /** Requests that were refused without the database. */
  rejected: number;
  /** A ban that was set without the database: its end, Unix time in milliseconds; 0 for none. */
  bannedUntil: number;
}

export type CountRow = Pick<
  RateLimitTable,
  'subject' | 'minute' | 'minute_count' | 'day' | 'day_count' | 'rejected' | 'banned_until' | 'admitted'
>;

/**
 * Counts for many subjects in one upsert. Row locks make it exact over all servers: of `requested`, as many are admitted
 * as both windows have left, and those that are refused use nothing up.
 *
 * @param requests - at most one for each subject
 */
export async function countRequests(
  db: DatabaseHandle,
  requests: CountRequest[],
  now: number,
  ban: BanPolicy,
): Promise<Map<string, CountRow>> {
  const rows = await upsertCounts(db.pool, {
    ...windowsAt(now),
    now,
    banAfter: ban.after,
    banEnd: now + ban.duration,
    subject: requests.map(({ subject }) => subject),
    requested: requests.map(({ requested }) => requested),
    perMinute: requests.map(({ perMinute }) => perMinute),
    perDay: requests.map(({ perDay }) => perDay),
    spentMinute: requests.map(({ spentMinute }) => spentMinute),
    spentDay: requests.map(({ spentDay }) => spentDay),
    rejected: requests.map(({ rejected }) => rejected),
    bannedUntil: requests.map(({ bannedUntil }) => bannedUntil),
  });
  return new Map(rows.map((row) => [row.subject, row]));
}

type Columns = { [Field in keyof CountRequest]: CountRequest[Field][] };

interface Values extends Columns {
  minute: number;
  day: number;
  now: number;
  banAfter: number;
  banEnd: number;
}

const upsertCounts = statement<Values, CountRow>('count_requests', (value) => {
  const [minute, day] = [sql`${value('minute')}::integer`, sql`${value('day')}::integer`];
  const [banAfter, banEnd] = [sql`${value('banAfter')}::integer`, sql`${value('banEnd')}::bigint`];
  // Of the row that is there (c), with what came without the database on top of it.
  const spentMinute = sql`(case when c.minute >= excluded.minute then c.minute_count else 0 end
    + excluded.minute_count - excluded.admitted)`;
  const spentDay = sql`(case when c.day >= excluded.day then c.day_count else 0 end
    + excluded.day_count - excluded.admitted)`;
  const rejected = sql`(case when c.minute >= excluded.minute then c.rejected else 0 end
    + excluded.rejected - (excluded.requested - excluded.admitted))`;
  const banned = sql`c.banned_until > ${value('now')}::bigint`;
  const admitted = sql`(case when ${banned} then 0 else
    greatest(0, least(excluded.requested, excluded.per_minute - ${spentMinute}, excluded.per_day - ${spentDay})) end)`;
  const rejectedNow = sql`(${rejected} + case when ${banned} then 0 else excluded.requested - ${admitted} end)`;

  return sql`
    insert into rate_limits as c (subject, minute, minute_count, day, day_count, rejected, banned_until,
      per_minute, per_day, requested, admitted)
    select subject, ${minute}, spent_minute + admitted, ${day}, spent_day + admitted,
      rejected + requested - admitted,
      greatest(banned_until, case when rejected + requested - admitted >= ${banAfter} then ${banEnd} else 0 end),
      per_minute, per_day, requested, admitted
    from (
      select *, greatest(0, least(requested, per_minute - spent_minute, per_day - spent_day)) as admitted
      from unnest(${value('subject')}::text[], ${value('requested')}::integer[], ${value('perMinute')}::integer[],
        ${value('perDay')}::integer[], ${value('spentMinute')}::integer[], ${value('spentDay')}::integer[],
        ${value('rejected')}::integer[], ${value('bannedUntil')}::bigint[])
        as request (subject, requested, per_minute, per_day, spent_minute, spent_day, rejected, banned_until)
    ) as request
    -- Servers lock rows in the same order, so they cannot deadlock.
    order by subject
    on conflict (subject) do update set
      minute = greatest(c.minute, excluded.minute),
      minute_count = ${spentMinute} + ${admitted},
      day = greatest(c.day, excluded.day),
      day_count = ${spentDay} + ${admitted},
      rejected = ${rejectedNow},
      banned_until = case when ${banned} then greatest(c.banned_until, excluded.banned_until)
        when ${rejectedNow} >= ${banAfter} then ${banEnd} else excluded.banned_until end,
      per_minute = excluded.per_minute,
      per_day = excluded.per_day,
      requested = excluded.requested,
      admitted = ${admitted}
    returning subject, minute, minute_count, day, day_count, rejected, banned_until, admitted`;
});

/** Deletes the counts of past days, but not a ban that goes on. */
export function deleteOldCounts(db: DatabaseHandle): Promise<void> {
  const now = sql`extract(epoch from petstore_now())`;
  return deleteInBatches(
    db,
    'rate_limits',
    sql`day < floor(${now} / 86400)::integer and banned_until <= ${now} * 1000`,
  );
}
