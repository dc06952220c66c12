// Tests `npm start` of the service that is named, or of any: the printed requests, `npm run keys`, and that
// no signal leaves processes or files behind.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../packages/testkit/src/eventually.ts';
import { anyService } from '../scripts/services.mjs';

const service = anyService(process.argv[2]);
const dataDir = mkdtempSync(path.join(tmpdir(), 'npm-start-'));
const env = { ...process.env, PORT: '0', [service.variable]: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' };
const sh = (command) => execFileSync('sh', ['-c', command], { env, encoding: 'utf8' });

const STARTING = /Starting the server/;
const RUNNING = /^ {2}Try:\n\n(curl .*\n\n)+/m;
const ends = [
  [RUNNING, 'SIGTERM to npm', (npm) => npm.kill('SIGTERM')],
  [RUNNING, 'Ctrl-C, twice', (npm) => ['SIGINT', 'SIGINT'].map((signal) => process.kill(-npm.pid, signal))],
  [RUNNING, 'kill -9 of the process group', (npm) => process.kill(-npm.pid, 'SIGKILL')],
  [RUNNING, 'kill -9 of npm', (npm) => npm.kill('SIGKILL')],
  [STARTING, 'SIGTERM while it starts', (npm) => process.kill(-npm.pid, 'SIGTERM')],
];

/** The server's origin. The first server chooses a free port, and the others use the same. */
let origin;
let rows = 0;
for (const [stage, how, end] of ends) {
  console.log(`npm start, then ${how}`);
  const options = { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
  const npm = spawn('npm', ['start', '--', service.name], options);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  await until(
    () => stage.test(output),
    () => `it does not get there:\n${output}`,
    300_000,
  );
  if (stage === RUNNING) await use(output);
  end(npm);
  await until(
    async () => (await left()).length === 0,
    async () => `left: ${await left()}\n${output}`,
    120_000,
  );
  // The last one to end still deletes the address.
  const files = () => `${readdirSync(dataDir).filter((name) => !how.startsWith('kill -9') || name !== 'url')}`;
  await until(
    () => files() === 'postgres,postgres.log,quickstart-key',
    () => `left: ${files()}`,
    120_000,
  );
  // A power failure leaves such a file.
  writeFileSync(path.join(dataDir, 'quickstart-key'), Buffer.alloc(58));
}
rmSync(dataDir, { recursive: true });

async function use(output) {
  const requests = output.match(/^curl .*$/gm);
  const [added, list] = requests.map((line) => JSON.parse(sh(`${line} --silent`)));
  const [, url] = /(http:[^']+)/.exec(requests[0]);
  ({ origin, port: env.PORT } = new URL(url));
  rows += 1;
  // The examples of another contract may not include a creation and the list of its items.
  if (service.default && (list.length !== rows || list.at(-1).id !== added.id))
    throw new Error(`unexpected: ${JSON.stringify({ added, list })}`);
  if ((statSync(path.join(dataDir, 'url')).mode & 0o777) !== 0o600) throw new Error('others can read the address');
  const keys = `npm run --silent keys -- --service ${service.name} create --name me --plan free --json`;
  const { status } = await fetch(url, { headers: { Authorization: `Bearer ${JSON.parse(sh(keys)).key}` } });
  if (status === 401) throw new Error('a new key is refused');
}

/** Processes and lock files left behind. */
async function left() {
  const processes = sh('ps -eo pid,args').split('\n');
  const locks = ['postgres/postmaster.pid'].filter((file) => existsSync(path.join(dataDir, file)));
  // The server's command line does not name the folder.
  const answers = await fetch(`${origin}/livez`).catch(() => undefined);
  return [...processes.filter((line) => line.includes(dataDir)), ...locks, ...(answers ? ['the server'] : [])];
}
