import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { migration } from './database/runtime-migrations.ts';
import type { Job } from './jobs.ts';
import { post, signed } from './webhook.ts';

export interface OutboxOptions {
  /** Seconds between the attempts. After the last one, the event stays with its error. Default: nine, over three days. */
  schedule?: readonly number[];
  /** Milliseconds until a receiver has to respond. Default: 10,000. */
  timeout?: number;
  /** Days for which a delivered event is kept. Default: 7. */
  keep?: number;
  /** `any` also sends to private addresses and without TLS, if nobody outside chooses the URLs. Default: `public`. */
  receivers?: 'public' | 'any';
}

/** As Standard Webhooks proposes: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The most events that are sent at a time, and those of a receiver, so that a slow one does not hold the others. */
const MOST = 10;
const MOST_OF_ONE = 2;

/** Milliseconds between two looks for events that are due, while others are sent. */
const PAUSE = 1_000;

const SECRET = '^whsec_[A-Za-z0-9+/=]{32,}( whsec_[A-Za-z0-9+/=]{32,})*$';

interface Event {
  id: string;
  type: string;
  data: string;
  created: Date;
  url: string;
  secret: string;
  attempts: number;
}

// biome-ignore lint/suspicious/noExplicitAny: its table is named in SQL
type AnyKysely = Kysely<any>;

/** The outcome of an attempt. */
type Result = { isDelivered: true } | { error: string; isLast: boolean };

/**
 * A table of events for receivers outside, and the job that delivers them, at least once each. A `write` inserts an event in its own
 * transaction: it is stored with the change, or not at all. `data` is a JSON text, `secret` one of `webhookSecret()`. Events have no order.
 *
 * @example
 * const webhooks = outbox('webhooks');
 * // migrations: { '002-webhooks': webhooks.migration }, jobs: { webhooks: webhooks.job }
 * await db.insertInto('webhooks').values({ url, secret, type: 'order.paid', data: JSON.stringify({ orderId }) }).execute();
 */
export function outbox(
  name: string,
  options: OutboxOptions = {},
): { migration: Migration; job: Job<{ db: AnyKysely }> } {
  const { schedule = SCHEDULE, timeout = 10_000, keep = 7, receivers = 'public' } = options;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(name)) throw new Error(`An outbox needs a name like webhooks, not ${name}`);
  const table = sql.table(name);

  /** Takes an event that is due, for longer than its attempt may last. A server that ends meanwhile leaves it to the next one. */
  const take = async (db: AnyKysely, busy: readonly string[]): Promise<Event | undefined> => {
    const { rows } = await sql<Event>`with due as (
        select id from ${table} where due_at <= service_now() and url <> all(${busy}::text[])
        order by due_at limit 1 for update skip locked)
      update ${table} as event set attempts = attempts + 1, due_at = service_now() + make_interval(secs => ${timeout / 1_000 + 60})
      from due where event.id = due.id
      returning event.id, type, data::text, created_at as created, url, secret, attempts`.execute(db);
    return rows[0];
  };

  const send = async ({ id, type, data, created, url, secret, attempts }: Event, now: Date): Promise<Result> => {
    const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(created)},"data":${data}}`;
    const headers = signed(`msg_${id}`, Math.floor(now.getTime() / 1_000), body, secret);
    try {
      const status = await post(url, { headers, body, timeout, isAny: receivers === 'any' });
      // 410: the receiver wants no more events.
      return status >= 200 && status < 300
        ? { isDelivered: true }
        : { error: `the receiver responds ${status}`, isLast: status === 410 || attempts > schedule.length };
    } catch (error) {
      return { error: (error as Error).message, isLast: attempts > schedule.length };
    }
  };

  /** Stores the result, unless another server has taken the event meanwhile. */
  const settle = async (db: AnyKysely, { id, attempts }: Event, result: Result): Promise<void> => {
    const pause = schedule[attempts - 1] ?? 0;
    // Receivers that were away together are not asked again together.
    const next = sql`service_now() + make_interval(secs => ${pause} * (1 + random() / 10))`;
    const change =
      'isDelivered' in result
        ? sql`delivered_at = service_now(), due_at = null, secret = null, error = null`
        : sql`due_at = ${result.isLast ? null : next}, error = ${result.error}`;
    await sql`update ${table} set ${change} where id = ${id} and attempts = ${attempts}`.execute(db);
  };

  const run: Job<{ db: AnyKysely }>['run'] = async ({ db, signal }) => {
    const sending = new Map<Promise<void>, string>();
    const { rows } = await sql<{ now: Date }>`select service_now() as now`.execute(db);
    const [{ now } = { now: new Date() }] = rows;
    const began = performance.now();
    const clock = () => new Date(now.getTime() + performance.now() - began);
    let failure: { error: unknown } | undefined;
    for (;;) {
      const urls = [...sending.values()];
      const busy = urls.filter((url) => urls.filter((each) => each === url).length >= MOST_OF_ONE);
      const isOver = signal.aborted || failure !== undefined;
      const event = !isOver && urls.length < MOST ? await take(db, busy) : undefined;
      if (event) {
        const sent: Promise<void> = send(event, clock())
          .then((result) => settle(db, event, result))
          .catch((error) => {
            failure ??= { error };
          })
          .finally(() => sending.delete(sent));
        sending.set(sent, event.url);
      } else if (urls.length === 0) break;
      // One that has ended meanwhile may have kept others of its receiver from being taken.
      else if (sending.size === urls.length)
        await Promise.race([...sending.keys(), delay(PAUSE, undefined, { ref: false })]);
    }
    if (failure) throw failure.error;
    await sql`delete from ${table} where delivered_at < service_now() - make_interval(days => ${keep})`.execute(db);
  };

  return {
    migration: migration(
      `create table ${name} (
        id uuid primary key default gen_random_uuid(),
        type text not null,
        data jsonb not null,
        url text not null check (url ~ '^https?://'),
        secret text check (secret ~ '${SECRET}'),
        created_at timestamptz not null default now(),
        attempts integer not null default 0,
        due_at timestamptz default '-infinity',
        delivered_at timestamptz,
        error text,
        check (secret is not null or due_at is null)
      );
      create index ${name}_due on ${name} (due_at) where due_at is not null;
      create index ${name}_delivered on ${name} (delivered_at) where delivered_at is not null`,
      `drop table ${name}`,
    ),
    job: { every: 1_000, run },
  };
}
