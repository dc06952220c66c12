import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, RateLimitTable } from '../database/schema.ts';
import { type BanPolicy, type Policy, windowsAt } from './count.ts';

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
}

export type CountRow = Pick<
  RateLimitTable,
  'subject' | 'minute' | 'minute_count' | 'day' | 'day_count' | 'rejected' | 'banned_until' | 'requested' | 'admitted'
>;

/**
 * Counts for many subjects in one upsert. Row locks make it exact over all servers: of `requested`, as many are admitted
 * as both windows have left, and those that are refused use nothing up.
 *
 * @param requests - at most one for each subject
 */
export async function countRequests(
  db: Kysely<Database>,
  requests: CountRequest[],
  now: number,
  ban: BanPolicy,
): Promise<Map<string, CountRow>> {
  const { minute, day } = windowsAt(now);
  const column = (field: keyof CountRequest, type: RawBuilder<unknown>) =>
    sql`${requests.map((request) => request[field])}::${type}[]`;
  const int = sql`integer`;

  // Of the row that is there (c), with what came without the database on top of it.
  const spentMinute = sql`(case when c.minute >= excluded.minute then c.minute_count else 0 end
    + excluded.minute_count - excluded.admitted)`;
  const spentDay = sql`(case when c.day >= excluded.day then c.day_count else 0 end
    + excluded.day_count - excluded.admitted)`;
  const rejected = sql`(case when c.minute >= excluded.minute then c.rejected else 0 end
    + excluded.rejected - (excluded.requested - excluded.admitted))`;
  const banned = sql`c.banned_until > ${now}::bigint`;
  const admitted = sql`(case when ${banned} then 0 else
    greatest(0, least(excluded.requested, excluded.per_minute - ${spentMinute}, excluded.per_day - ${spentDay})) end)`;
  const rejectedNow = sql`(${rejected} + case when ${banned} then 0 else excluded.requested - ${admitted} end)`;
  const banEnd = sql`${now + ban.duration}::bigint`;

  const { rows } = await sql<CountRow>`
    insert into rate_limits as c (subject, minute, minute_count, day, day_count, rejected, banned_until,
      per_minute, per_day, requested, admitted)
    select subject, ${minute}::integer, spent_minute + admitted, ${day}::integer, spent_day + admitted,
      rejected + requested - admitted,
      case when rejected + requested - admitted >= ${ban.after}::integer then ${banEnd} else 0 end,
      per_minute, per_day, requested, admitted
    from (
      select *, greatest(0, least(requested, per_minute - spent_minute, per_day - spent_day)) as admitted
      from unnest(${column('subject', sql`text`)}, ${column('requested', int)}, ${column('perMinute', int)},
        ${column('perDay', int)}, ${column('spentMinute', int)}, ${column('spentDay', int)}, ${column('rejected', int)})
        as request (subject, requested, per_minute, per_day, spent_minute, spent_day, rejected)
    ) as request
    -- Servers lock rows in the same order, so they cannot deadlock.
    order by subject
    on conflict (subject) do update set
      minute = greatest(c.minute, excluded.minute),
      minute_count = ${spentMinute} + ${admitted},
      day = greatest(c.day, excluded.day),
      day_count = ${spentDay} + ${admitted},
      rejected = ${rejectedNow},
      banned_until = case when ${banned} then c.banned_until
        when ${rejectedNow} >= ${ban.after}::integer then ${banEnd} else 0 end,
      per_minute = excluded.per_minute,
      per_day = excluded.per_day,
      -- None of them, when a ban was there before.
      requested = case when ${banned} then 0 else excluded.requested end,
      admitted = ${admitted}
    returning subject, minute, minute_count, day, day_count, rejected, banned_until, requested, admitted`.execute(db);
  return new Map(rows.map((row) => [row.subject, row]));
}

/** Rows deleted in one statement at most, so that none takes long. */
const DELETE_BATCH = 5_000;

/** Deletes the counts of past days, but not a ban that goes on. */
export async function deleteOldCounts(db: Kysely<Database>, now: number): Promise<void> {
  const { day } = windowsAt(now);
  const old = db
    .selectFrom('rate_limits')
    .select('subject')
    .where('day', '<', day)
    .where('banned_until', '<=', now)
    .limit(DELETE_BATCH);
  let deleted: bigint;
  do {
    const result = await db
      .deleteFrom('rate_limits')
      .where('subject', 'in', old)
      .where('day', '<', day)
      .executeTakeFirst();
    deleted = result.numDeletedRows;
  } while (deleted === BigInt(DELETE_BATCH));
}
