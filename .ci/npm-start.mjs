// Tests `npm start` of the service that is named, or of any: the printed requests, `npm run keys`, and that
// no signal leaves processes or files behind.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyService } from '../scripts/services.mjs';
import { until } from '../scripts/until.mjs';

const service = anyService(process.argv[2]);
const dataDir = mkdtempSync(path.join(tmpdir(), 'npm-start-'));
const env = { ...process.env, PORT: '0', [service.variable]: dataDir, DATABASE_URL: '', LOG_LEVEL: 'warn' };

/** Ways to end `npm start`. */
const ends = {
  'SIGTERM to npm': (npm) => npm.kill('SIGTERM'),
  'Ctrl-C, twice': (npm) => {
    for (let times = 0; times < 2; times++) process.kill(-npm.pid, 'SIGINT');
  },
  'SIGTERM to the process group and to npm': (npm) => {
    process.kill(-npm.pid, 'SIGTERM');
    npm.kill('SIGTERM');
  },
  'kill -9 of the process group': (npm) => process.kill(-npm.pid, 'SIGKILL'),
  'kill -9 of npm': (npm) => npm.kill('SIGKILL'),
  'SIGTERM while it starts': undefined,
};

/** The server's origin. The first server chooses a free port, and the others use the same. */
let origin;
let rows = 0;
for (const [how, end] of Object.entries(ends)) {
  console.log(`npm start, then ${how}`);
  const npm = spawn('npm', ['start', '--', service.name], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  if (end) {
    await until(
      () => /^ {2}Try:\n\n(curl .*\n\n)+/m.test(output),
      () => `no requests to paste:\n${output}`,
      300_000,
    );
    const [added, list] = output
      .match(/^curl .*$/gm)
      .map((line) => JSON.parse(execFileSync('sh', ['-c', `${line} --silent`])));
    ({ origin, port: env.PORT } = new URL(/^curl .*?(http:\S+)/m.exec(output)[1]));
    rows += 1;
    // The examples of another contract may not include a creation and the list of its items.
    if (service.default && (list.length !== rows || list.at(-1).id !== added.id))
      throw new Error(`unexpected: ${JSON.stringify({ added, list })}`);
    if ((statSync(path.join(dataDir, 'url')).mode & 0o777) !== 0o600) throw new Error('others can read the address');
    const create = [
      'run',
      '--silent',
      'keys',
      '--',
      '--service',
      service.name,
      'create',
      '--name',
      'me',
      '--plan',
      'free',
      '--json',
    ];
    const { key } = JSON.parse(execFileSync('npm', create, { env }));
    const headers = { Authorization: `Bearer ${key}` };
    const { status } = await fetch(/^curl '(\S+)'/m.exec(output)[1], { headers });
    if (status === 401) throw new Error('a new key is refused');
    end(npm);
  } else {
    await until(
      () => output.includes('Starting the server'),
      () => `it does not start:\n${output}`,
      300_000,
    );
    process.kill(-npm.pid, 'SIGTERM');
  }
  await until(
    async () => (await left()).length === 0,
    async () => `left: ${await left()}\n${output}`,
    120_000,
  );
  const files = readdirSync(dataDir).filter((name) => !how.startsWith('kill -9') || name !== 'url');
  if (`${files}` !== 'postgres,postgres.log,quickstart-key') throw new Error(`left: ${files}`);
  // A power failure leaves such a file.
  writeFileSync(path.join(dataDir, 'quickstart-key'), Buffer.alloc(58));
}
rmSync(dataDir, { recursive: true });

/** Processes and lock files left behind. */
async function left() {
  const processes = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  const locks = ['postgres/postmaster.pid'].filter((file) => existsSync(path.join(dataDir, file)));
  // The server's command line does not name the folder.
  const answers = await fetch(`${origin}/livez`).catch(() => undefined);
  return [...processes.filter((line) => line.includes(dataDir)), ...locks, ...(answers ? ['the server'] : [])];
}
