import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clearScratch, createCluster, hasCluster, urlOf } from './embedded/cluster.ts';
import { withLock } from './embedded/lock.ts';
import {
  findPostmaster,
  type Postmaster,
  StartInterrupted,
  startPostgres,
  stopPostgres,
} from './embedded/postmaster.ts';

/** "Not now": Postgres is starting, stopping or recovering, or cannot be reached yet. */
function isDatabaseUnavailable(error: unknown): boolean {
  const { code = '', message } = error as pg.DatabaseError;
  return /^(08|57|E)/.test(code) || /connection terminated|timeout exceeded/i.test(message);
}

const PATIENCE_MS = 30_000;
const RECOVERY_INTERVAL_MS = 1_000;

/** The advisory lock that every process using the embedded Postgres shares. */
const HOLD = 0x70657473;

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505';

/** A real Postgres on this machine, shared by all processes that open the same data folder. */
export interface EmbeddedPostgres {
  /** `postgres://petstore:<password>@127.0.0.1:<port>/petstore`; the role is a superuser of its own Postgres. */
  url: string;
  /** Releases this process's hold; the last process to leave stops Postgres. End your own connections first. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Told, in a few words, about each step that takes time. */
  onProgress?(message: string): void;
  /** Server settings such as `{ fsync: 'off' }`. They do not reach a Postgres that already runs. */
  settings?: Record<string, string>;
}

/**
 * Opens the Postgres whose data is in `<dataDir>/postgres`: creates it on first use, starts it when it is down, and
 * attaches to it when another process, even one that has died since, started it.
 *
 * @throws an Error of one line when this machine cannot run it, or when it does not come up within 30 seconds.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  mkdirSync(dataDir, { recursive: true });
  // Every process has to call the folder by the same name: a running postmaster is recognized by it.
  const folder = realpathSync(dataDir);
  let { session, port } = await hold(folder, options);
  let closing = false;
  let recovering = Promise.resolve();
  let left: Promise<void> | undefined;

  // Postgres has crashed: whoever notices first starts it again, on the port where all expect it.
  const recover = async () => {
    while (!closing) {
      try {
        ({ session, port } = await hold(folder, options));
        return watch();
      } catch {
        await delay(RECOVERY_INTERVAL_MS);
      }
    }
  };
  const watch = () => {
    session.once('end', () => {
      if (!closing) recovering = recover();
    });
  };
  watch();
  return {
    url: urlOf(folder, port, 'petstore'),
    close() {
      closing = true;
      left ??= recovering.then(() => leave(folder, session));
      return left;
    },
  };
}

interface Hold {
  /** Has the lock that keeps Postgres running. */
  session: Session;
  port: number;
}

/** Starts Postgres unless it runs, and takes hold of it. */
async function hold(folder: string, options: EmbeddedPostgresOptions): Promise<Hold> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await exclusively(folder, deadline, () => enter(folder, options));
    } catch (error) {
      // Postgres may be stopping, or recovering from a crash, under nobody's lock.
      if (!(error instanceof StartInterrupted || isDatabaseUnavailable(error))) throw error;
      if (Date.now() > deadline) {
        throw new Error(`The embedded Postgres in ${folder} does not come up: ${(error as Error).message}`);
      }
    }
    await delay(100);
  }
}

/** Nobody starts Postgres while somebody else creates, starts or stops it. */
function exclusively<T>(folder: string, deadline: number, work: () => Promise<T>): Promise<T> {
  return withLock(join(folder, 'postgres.lock'), deadline, work);
}

async function enter(folder: string, options: EmbeddedPostgresOptions): Promise<Hold> {
  const postmaster = findPostmaster(folder) ?? (await start(folder, options));
  const session = newSession(folder, postmaster);
  try {
    await session.connect();
    await session.query('select pg_advisory_lock_shared($1)', [HOLD]);
    await ensureDatabase(session);
  } catch (error) {
    await session.end();
    throw error;
  }
  // A process that forgets to close should end all the same; whoever opens next takes Postgres over.
  session.unref();
  return { session, port: postmaster.port };
}

async function start(folder: string, { onProgress, settings = {} }: EmbeddedPostgresOptions): Promise<Postmaster> {
  clearScratch(folder);
  if (!hasCluster(folder)) {
    onProgress?.(`Creating the database in ${folder}`);
    await createCluster(folder, settings.fsync !== 'off');
  }
  onProgress?.('Starting Postgres');
  return startPostgres(folder, settings);
}

async function ensureDatabase(session: Session): Promise<void> {
  const { rowCount } = await session.query(`select from pg_database where datname = 'petstore'`);
  if (rowCount === 1) return;
  // Postgres may still be creating it for a process that was killed at this point: then it exists after this error.
  await session.query('create database petstore').catch((error: pg.DatabaseError) => {
    if (error.code !== DUPLICATE_DATABASE && error.code !== UNIQUE_VIOLATION) throw error;
  });
}

async function leave(folder: string, session: Session): Promise<void> {
  session.ref();
  // Unlocked explicitly, because the server notices the end of a connection only some time after it. A session that
  // died with its Postgres has nothing to unlock.
  await session.query('select pg_advisory_unlock_shared($1)', [HOLD]).catch(() => {});
  await session.end();
  await exclusively(folder, Date.now() + PATIENCE_MS, async () => {
    const postmaster = findPostmaster(folder);
    if (postmaster === undefined) return;
    const last = newSession(folder, postmaster);
    try {
      await last.connect();
      const { rows } = await last.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [HOLD]);
      if (rows[0]?.alone) await stopPostgres(folder);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    } finally {
      await last.end();
    }
  });
}

/** pg has `ref` and `unref`; its types lack them. */
type Session = pg.Client & NodeJS.RefCounted;

/** A session in the database `postgres`, so that `petstore` can be copied or dropped while processes hold Postgres. */
function newSession(folder: string, { port }: Postmaster): Session {
  const connectionString = urlOf(folder, port, 'postgres');
  const session = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 }) as Session;
  // Without a listener, a dying Postgres would end this process. Whoever queries next gets the error anyway.
  session.on('error', () => {});
  return session;
}
