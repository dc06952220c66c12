// `npm start` as its user has it: it prints requests to paste, which work, and it ends when it is told to.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const dataDir = mkdtempSync(path.join(tmpdir(), 'petstore-start-'));
const env = { ...process.env, PORT: '0', PETSTORE_DATA_DIR: dataDir, DATABASE_URL: '' };

/** Starts it, gives what the pasted requests answer, and stops it. */
async function start() {
  const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const text of npm.stdout.setEncoding('utf8')) {
    output += text;
    if ((output.match(/^curl .*\n/gm) ?? []).length === 2) break;
  }
  const answers = output
    .match(/^curl .*$/gm)
    ?.map((line) => JSON.parse(execFileSync('sh', ['-c', `${line} --silent`])));
  npm.kill('SIGTERM');
  // npm does not wait for what it started.
  const deadline = Date.now() + 20_000;
  while (existsSync(path.join(dataDir, 'postgres/postmaster.pid'))) {
    if (Date.now() > deadline) throw new Error('it did not stop');
    await delay(100);
  }
  return answers;
}

const [added, list] = await start();
if (list.length !== 1 || list[0].id !== added.id) throw new Error(`unexpected: ${JSON.stringify({ added, list })}`);
// Again: the animal is still there.
const [, both] = await start();
if (both.length !== 2 || both[0].id !== added.id)
  throw new Error(`unexpected after a restart: ${JSON.stringify(both)}`);
rmSync(dataDir, { recursive: true });
