// Functions that the checks on the machine share.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { until } from '../../packages/testkit/src/eventually.ts';
import { SERVICE } from './document.mjs';

/** The version of Debian's Postgres. */
export const VERSION = readdirSync('/usr/lib/postgresql')
  .sort((a, b) => a - b)
  .at(-1);
const PARAMETERS = `sslmode=verify-full&sslrootcert=/etc/${SERVICE}/ca.crt`;
/** Leads an administrator without the rights of a superuser to the database. */
const ADMIN_URL = `postgres://admin:secret@localhost/${SERVICE}?${PARAMETERS}`;

const bash = (commands) => ['bash', ['--norc', '-euo', 'pipefail', '-c', commands]];
const environment = (variables) => ({ ...process.env, ADMIN_URL, ...variables });

/** Runs commands of bash as root. Returns what they print. */
export function sh(commands, variables = {}, input = '') {
  const options = { env: environment(variables), input, encoding: 'utf8', stdio: 'pipe' };
  try {
    return execFileSync(...bash(commands), options).trim();
  } catch (error) {
    throw new Error(`${commands}\n${error.stdout}${error.stderr}`);
  }
}

/** Runs the command `keys` of the service with the role that the documents have for it. */
export const keys = (command) =>
  sh(`node /srv/${SERVICE}/dist/main.js keys ${command}`, { DATABASE_URL_FILE: `/etc/${SERVICE}/keys.url` });

/** Runs SQL as Postgres' superuser, who comes from this machine only. */
export const superuser = (statements, database = SERVICE) =>
  sh(
    'runuser -u postgres -- psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1',
    { PGDATABASE: database },
    statements,
  );

const logs = () =>
  sh(`journalctl --no-pager --lines 20 --output cat --unit 'server@*' --unit 'backup@*' --unit base-backup`);

/** The limit is for a machine that makes no progress: a loaded one may take minutes. */
export const eventually = (what, condition) => until(condition, () => `${what}\n${logs()}`, 300_000);

export const isReady = (port = 3000) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Sends a request to nginx, on a connection of its own: nginx may end an idle one while commands keep this program from noticing. */
export async function send(path, { headers, ...options } = {}) {
  setDefaultCACertificates([readFileSync(`/etc/${SERVICE}/ca.crt`, 'utf8')]);
  const all = { ...options, headers: { ...headers, Connection: 'close' } };
  const response = await fetch(`https://${SERVICE}.example.com${path}`, all);
  return { status: response.status, body: await response.text() };
}

/** Sends requests until the work is done. @param work - may not use `sh`, which lets nothing else run. @returns their statuses, each once */
export async function during(work, one, clients = 4) {
  const statuses = new Set();
  let isOver = false;
  const load = Array.from({ length: clients }, async () => {
    while (!isOver) statuses.add(await one());
  });
  try {
    await work();
  } finally {
    isOver = true;
  }
  await Promise.all(load);
  return [...statuses];
}

/** Runs commands of bash as root while requests are sent. Returns the statuses of these, each once. */
export const whileRunning = (commands, one, variables = {}) =>
  during(() => promisify(execFile)(...bash(commands), { env: environment(variables) }), one);
