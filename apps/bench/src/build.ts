import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { median } from '@petstore/testkit/statistics';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

/** Times turbo with nothing changed, and `npm start` in a fresh clone. */
export async function benchBuild({ quick = false } = {}): Promise<string> {
  const warm = await warmRuns(quick ? 3 : 7);
  const cold: number[] = [];
  for (let start = 0; start < (quick ? 1 : 3); start++) {
    console.error(`npm start in a fresh clone, ${start + 1}`);
    cold.push(await coldStart());
  }
  const row = (what: string, wanted: number, seconds: number[]) =>
    `| ${what} | < ${wanted} s | ${median(seconds).toFixed(2)} s | ${median(seconds) < wanted ? 'met' : 'not met'} |`;
  return `| what | wanted | median | |
|---|---|---|---|
${row('turbo run build test, nothing changed', 1, warm)}
${row('npm start in a fresh clone, packages in the store, to the first answer', 15, cold)}`;
}

/** Seconds by turbo's own count, without the start of Node.js and pnpm. */
async function warmRuns(rounds: number): Promise<number[]> {
  const turbo = async () => {
    const { stdout } = await run(path.join(root, 'node_modules/.bin/turbo'), ['run', 'build', 'test'], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    const [, time = '', unit] = /Time: +([\d.]+)(ms|s)\b/.exec(stdout) ?? [];
    return { seconds: Number(time) / (unit === 'ms' ? 1_000 : 1), full: stdout.includes('FULL TURBO') };
  };
  console.error('turbo run build test: filling the cache');
  await turbo();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { seconds, full } = await turbo();
    if (!full) throw new Error('turbo missed its cache, although nothing had changed');
    times.push(seconds);
  }
  return times;
}

/** Seconds from `npm start` to the first response, in a clone of the last commit with a new database. */
async function coldStart(): Promise<number> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'petstore-clone-'));
  const dataDir = path.join(folder.path, 'data');
  const clone = path.join(folder.path, 'clone');
  await run('git', ['clone', '--quiet', root, clone]);
  const env = { ...process.env, PORT: '0', PETSTORE_DATA_DIR: dataDir, DATABASE_URL: '' };
  const started = performance.now();
  const npm = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(npm, 'exit');
  let seconds: number | undefined;
  let output = '';
  for await (const text of npm.stdout.setEncoding('utf8')) {
    output += text;
    const [origin] = /http:\/\/[\w.]+:\d+/.exec(output) ?? [];
    if (origin === undefined) continue;
    await fetch(`${origin}/readyz`);
    seconds = (performance.now() - started) / 1_000;
    break;
  }
  npm.kill();
  await exited;
  // npm does not wait for its children.
  while (existsSync(path.join(dataDir, 'postgres/postmaster.pid'))) await delay(100);
  if (seconds === undefined) throw new Error(`npm start ended: ${output}`);
  return seconds;
}
