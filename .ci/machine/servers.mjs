// The servers of a service under systemd: their setup, faults at the start, an update, a new password, the log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { blocksOf, SERVICE } from './document.mjs';
import { breakCertificate, issue } from './postgres.mjs';
import { during, eventually, isReady, keys, send, sh, superuser, whileRunning } from './shell.mjs';

const README = 'deploy/README.md';
const RUNBOOK = 'deploy/runbook.md';

/** Follows the documents to two servers behind nginx. Returns an API key that may be used without end, and a path to read. */
export async function setUp() {
  mkdirSync('/etc/systemd/journald.conf.d');
  writeFileSync('/etc/systemd/journald.conf.d/rate.conf', '[Journal]\nRateLimitBurst=10\n');
  sh('systemctl restart systemd-journald');
  const [, first, second] = blocksOf(README, 'One machine without containers');
  const [roles] = blocksOf(README, 'Roles');
  const release = readdirSync('/srv/releases').find((name) => !name.endsWith('-next'));
  sh(roles);
  sh(first, { release });
  issue(`${SERVICE}.example.com`, `/etc/ssl/${SERVICE}.example.com.pem`, `/etc/ssl/${SERVICE}.example.com.key`);
  sh(
    `echo 127.0.0.1 ${SERVICE}.example.com >> /etc/hosts; rm --force /etc/nginx/sites-enabled/default; systemctl start nginx`,
  );
  // This changes the names, as the document says, on this machine only.
  sh(`sed --in-place 's/\\bshop\\b/${SERVICE}/g' deploy/nginx/service.conf`);
  sh(second);
  await eventually('both servers are ready', async () => (await isReady()) && (await isReady(3001)));
  const limits = '--per-minute 99999999 --per-day 999999999';
  const { key } = JSON.parse(keys(`create --name check --plan enterprise ${limits} --json`));
  const { paths, servers } = JSON.parse((await send('/openapi.json')).body);
  const place = Object.keys(paths).find((each) => paths[each].get && !each.includes('{'));
  const path = new URL(servers[0].url, 'http://localhost').pathname.replace(/\/$/, '') + place;
  const headers = { Authorization: `Bearer ${key}` };
  assert.equal((await send(path, { headers })).status, 200);
  // Only root can read the URLs, and the servers have no other.
  assert.equal(sh(`stat --format %a /etc/${SERVICE}/*.url | sort --unique`), '600');
  return { path, headers, read: async () => (await send(path, { headers })).status, release };
}

/** journald keeps each line of more requests than its limit of a rate admits, which depends on the disk and here is low. */
export async function tryLog({ path, headers }) {
  const REQUESTS = 5_000;
  let sent = 0;
  const one = () => fetch(`http://127.0.0.1:3000${path}`, { headers: { ...headers, 'X-Request-Id': `kept-${sent}` } });
  const clients = Array.from({ length: 32 }, async () => {
    while (sent++ < REQUESTS) await (await one()).text();
  });
  await Promise.all(clients);
  const lines = () => sh(`journalctl --unit server@${SERVICE} --output cat | grep --count '"reqId":"kept-' || true`);
  await eventually('journald keeps all lines', () => Number(lines()) === REQUESTS);
}

/** Forward to the next version and back, one server after the other, without a failed request. */
export async function tryUpdate({ read, release }) {
  const [update] = blocksOf(README, 'Update');
  const [restart] = blocksOf(README, 'Restart');
  const back = update.trim().split('\n').at(-1);
  const metrics = () => sh('curl --silent --fail http://127.0.0.1:946[4-5]/metrics');
  const versions = () => metrics().match(/(?<=^service_build_info\{version=")[^"]*/gm);
  const before = versions();
  const forth = await whileRunning(`${update}\n${restart}`, read, { release: `${SERVICE}-next` });
  assert.deepEqual(forth, [200]);
  assert.deepEqual(versions(), ['99.0.0', '99.0.0']);
  assert.deepEqual(await whileRunning(`${back}\n${restart}`, read, { release }), [200]);
  assert.deepEqual(versions(), before);
}

export async function tryPassword({ read }) {
  const [rotate] = blocksOf(RUNBOOK, 'A new password');
  const [restart] = blocksOf(README, 'Restart');
  const before = readFileSync(`/etc/${SERVICE}/server.url`, 'utf8');
  const statuses = await whileRunning(`${rotate}\n${restart}`, read);
  assert.deepEqual(statuses, [200]);
  assert.notEqual(readFileSync(`/etc/${SERVICE}/server.url`, 'utf8'), before);
}

/** Four causes at once, each of which ends a start, are mended one after the other. The unit then comes back by itself. */
export async function tryFaults() {
  const unit = `server@${SERVICE}`;
  const show = (property) => sh(`systemctl show ${unit} --property ${property} --value`);
  const reason = () =>
    sh(`journalctl --unit ${unit} --output cat --lines 20 | grep '"level":"fatal"' | tail --lines 1 || true`);
  // Without the pause between starts, which takes time only.
  const dropIn = '/run/systemd/system/server@.service.d';
  mkdirSync(dropIn);
  writeFileSync(`${dropIn}/restart.conf`, '[Service]\nRestartSec=100ms\n');
  sh(`systemctl daemon-reload; systemctl stop ${unit}`);
  const port = createServer().listen(3000, '127.0.0.1');
  const role = `${SERVICE}_server`;
  const hash = superuser(`select rolpassword from pg_authid where rolname = '${role}'`);
  superuser(`alter role ${role} password 'another'; alter table kysely_migration rename to moved`);
  const faults = [
    [/certificate|self-signed|TLS/i, breakCertificate()],
    [/password/, () => superuser(`alter role ${role} password '${hash}'`)],
    [/lacks migration/, () => superuser('alter table moved rename to kysely_migration')],
    [/EADDRINUSE|in use/, () => port.close()],
  ];
  sh(`systemctl start --no-block ${unit}`);
  for (const [expected, mend] of faults) {
    await eventually(`the log says ${expected}`, () => expected.test(reason()));
    // More starts than systemd's limit admits by default.
    if (expected === faults[0][0]) await eventually('it is started again', () => Number(show('NRestarts')) >= 6);
    assert.notEqual(show('ActiveState'), 'failed');
    mend();
  }
  await eventually('the unit comes back', () => isReady());
}

/** Two entries of the runbook: a session that locks a table, and a privilege that is missing. */
export async function tryRunbook({ read }) {
  const role = `${SERVICE}_server`;
  const entry = readFileSync(RUNBOOK, 'utf8').split('\n## ServiceDatabaseWaiting\n')[1];
  const [, holders] = /```sql\n(.*?)```/s.exec(entry);
  const lock = `begin; lock table api_keys, rate_limits, kysely_migration; select 'locked'; select pg_sleep(600)`;
  const holder = spawn('runuser', ['-u', 'postgres', '--', 'psql', '--quiet', SERVICE], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  holder.stdin.end(`set application_name = 'holder'; ${lock};\n`);
  await once(holder.stdout, 'data');
  await during(async () => {
    let pid;
    await eventually('the holder is named', () => {
      [, pid] = /^(\d+)\|[^|]*\|holder\|/m.exec(superuser(holders)) ?? [];
      return pid;
    });
    // An administrator who may not see what it does sees who it is.
    await eventually('others see it', () => sh('psql "$ADMIN_URL"', {}, holders).includes('holder'));
    superuser(`select pg_terminate_backend(${pid})`);
  }, read);
  await eventually('requests are answered', async () => (await read()) === 200);

  superuser(`revoke select on rate_limits from ${role}`);
  const cause = async () => (await (await fetch('http://127.0.0.1:3000/readyz')).json()).cause;
  await eventually('the cause is named', async () => (await cause()) === 'privileges');
  sh(blocksOf(README, 'Roles')[0].split('\n')[0]);
  await eventually('it is ready', () => isReady());
}
