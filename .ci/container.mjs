// Builds the image and runs it: compose.yaml with its Postgres, then deploy/kubernetes with `podman kube play`. Says which parts
// it skips, for want of a container engine or of the base images. On GitHub, nothing may be missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../packages/testkit/src/eventually.ts';
import { anyService } from '../scripts/services.mjs';

const PROJECT = 'service-check';
/** It has characters that a URL must escape. */
const POSTGRES_PASSWORD = 'p/a+s=s w@rd%';
const KEY = ['create', '--name', 'me', '--plan', 'free', '--json'];
const { name: SERVICE } = anyService(process.env.SERVICE || undefined);
const env = { ...process.env, SERVICE, POSTGRES_PASSWORD, COMPOSE_PROJECT_NAME: PROJECT };
const manifest = readFileSync('deploy/kubernetes/base/service.yaml', 'utf8');
/** The name of the released image, which here is that of the image just built. */
const [, IMAGE] = /image: (\S+)/.exec(manifest);
const [, POSTGRES] = /image: (postgres:\S+)/.exec(readFileSync('compose.yaml', 'utf8'));
const [, NODE] = /^FROM (\S+)/m.exec(readFileSync('Dockerfile', 'utf8'));

const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
/** Runs a command. Returns its stdout; stderr is shown. */
function run(command, args, input = '') {
  console.log(`$ ${command} ${args.join(' ')}`);
  const stdio = ['pipe', 'pipe', 'inherit'];
  return execFileSync(command, args, { env, input, stdio, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();
}

const engine = ['docker', 'podman'].find((name) => works(name, 'info'));
const compose = engine && works(engine, 'compose', 'version');
const podman =
  works('podman', 'info') && Number.parseFloat(run('podman', ['version', '--format', '{{.Client.Version}}'])) >= 4.4;
if (!engine) skip('the image, compose.yaml and deploy/kubernetes, as neither docker nor podman runs here');
else if (![NODE, POSTGRES].every((name) => works(engine, 'image', 'inspect', name) || works(engine, 'pull', name)))
  skip(`the image, compose.yaml and deploy/kubernetes, as ${NODE} or ${POSTGRES} cannot be pulled`);
else {
  run(engine, ['build', '--tag', IMAGE, '--build-arg', `SERVICE=${SERVICE}`, '.']);
  await (compose ? tryCompose() : skip(`compose.yaml, as \`${engine} compose\` is not installed`));
  await (podman ? tryKubernetes() : skip('deploy/kubernetes, as podman 4.4 or later does not run here'));
}

function skip(what) {
  console.log(`Skipped: ${what}`);
  if (process.env.GITHUB_ACTIONS) process.exitCode = 1;
}

/** `docker compose up --build`, on another port. */
async function tryCompose() {
  const override = `services: { server: { image: '${IMAGE}' }, proxy: { ports: !override ['127.0.0.1::80'] } }`;
  const docker = (...args) => run(engine, ['compose', '--file', 'compose.yaml', '--file', '-', ...args], override);
  try {
    // Waits until all are healthy, the server by the image's own check.
    docker('up', '--build', '--detach', '--wait', '--wait-timeout', '180');
    confined((...args) => docker('exec', '--no-TTY', 'server', ...args));
    const { key } = JSON.parse(docker('run', '--rm', '--no-TTY', 'keys', ...KEY));
    const answers = async () => {
      const origin = `http://${docker('port', 'proxy', '80')}`;
      await answered(() => fetch(`${origin}/livez`).then(({ ok }) => ok));
      expect('/readyz for strangers', (await fetch(`${origin}/readyz`)).status, 404);
      return use(origin, key);
    };
    await answers();
    const [id] = docker('ps', '--quiet', 'server').split('\n');
    docker('stop', 'server');
    expect('the exit code', run(engine, ['inspect', '--format', '{{.State.ExitCode}}', id]), '0');
    // This removes the containers, and keeps the volume.
    docker('down');
    docker('up', '--detach', '--wait', '--wait-timeout', '180');
    await answers();
  } catch (error) {
    console.log(docker('logs', '--tail', '50'));
    throw error;
  } finally {
    docker('down', '--volumes');
  }
}

/** Runs the manifest as it is, with a Postgres beside it. */
async function tryKubernetes() {
  // The engines do not share images.
  if (engine !== 'podman') run('sh', ['-c', `docker save ${IMAGE} ${POSTGRES} | podman load`]);
  const url = `postgres://service:${encodeURIComponent(POSTGRES_PASSWORD)}@${PROJECT}-postgres:5432/service`;
  const secrets = ['owner', 'server'].map((role) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `database-${role}` },
      data: { url: btoa(url) },
    }),
  );
  const play = [...secrets, manifest].join('\n---\n');
  const variables = ['USER=service', 'DB=service', 'PASSWORD'].map((name) => `--env=POSTGRES_${name}`);
  // This may be somebody's own, which would be removed at the end.
  if (works('podman', 'pod', 'exists', 'server-pod') || works('podman', 'secret', 'inspect', 'database-server'))
    throw new Error('deploy/kubernetes runs here already: podman kube down deploy/kubernetes/base/service.yaml');
  run('podman', ['network', 'create', PROJECT]);
  try {
    const place = ['--name', `${PROJECT}-postgres`, '--network', PROJECT];
    run('podman', ['run', '--detach', ...place, ...variables, POSTGRES]);
    run('podman', ['kube', 'play', '--network', PROJECT, '-'], play);
    const server = run('podman', ['ps', '--filter', 'name=^server-pod.*-server$', '--format', '{{.Names}}']);
    const exec = (...args) => run('podman', ['exec', server, ...args]);
    const get = (address) =>
      exec('node', '-e', `fetch('${address}').then((r) => r.text()).then(console.log, () => {})`);
    await answered(async () => get('http://127.0.0.1:3000/readyz') === '{"status":"ok"}');
    confined(exec);
    expect('metrics', get('http://127.0.0.1:9464/metrics').includes('# TYPE '), true);
    run('podman', ['stop', server]);
    expect('the exit code', run('podman', ['inspect', '--format', '{{.State.ExitCode}}', server]), '0');
  } finally {
    spawnSync('podman', ['kube', 'down', '--force', '-'], { input: play });
    spawnSync('podman', ['secret', 'rm', 'database-owner', 'database-server']);
    spawnSync('podman', ['rm', '--force', '--volumes', '--time', '0', `${PROJECT}-postgres`]);
    run('podman', ['network', 'rm', '--force', PROJECT]);
  }
}

/** The server is a user without any privilege, on a file system that it cannot write. */
function confined(exec) {
  const status = `/^(Uid|CapEff|CapBnd|NoNewPrivs):\\s+(\\w+)/gm`;
  const write = `for (const file of ['x', 'dist/main.js']) try { fs.writeFileSync(file, ''); console.log(file) } catch {}`;
  const script = `for (const [, , value] of fs.readFileSync('/proc/self/status', 'utf8').matchAll(${status})) console.log(+value); ${write}`;
  expect('user, capabilities, no new privileges, writable files', exec('node', '-e', script), '1000\n0\n0\n1');
  expect('npm', exec('sh', '-c', 'command -v npm npx yarn corepack || echo none'), 'none');
}

/** Sends a request of the contract. The database knows the key, also after a restart. */
async function use(origin, key) {
  const { paths, servers } = await (await fetch(`${origin}/openapi.json`)).json();
  const { pathname } = new URL(servers[0].url, origin);
  const [place = Object.keys(paths)[0]] = Object.keys(paths).filter((each) => paths[each].get);
  const url = `${origin}${pathname.replace(/\/$/, '')}${place.replace(/{[^{}]*}/g, '1')}`;
  const { status } = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  // 501: its operations are still to be written.
  expect('the answer', status !== 401 && (status < 500 || status === 501), true);
}

function answered(isReady) {
  return until(
    () => isReady().catch(() => false),
    () => 'The server is not ready',
  );
}

function expect(what, value, expected) {
  const [is, should] = [JSON.stringify(value), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: ${is}, not ${should}`);
  console.log(`✓ ${what}: ${is}`);
}
