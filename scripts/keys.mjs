// `npm run keys -- create --name me --plan free`: the server's `keys` on DATABASE_URL, or the database of a running `npm start`.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findNode } from './node.mjs';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'apps/server/dist/main.js');

const DATABASE_URL = process.env.DATABASE_URL || (await findRunning());
if (DATABASE_URL && existsSync(main)) {
  const args = [main, 'keys', ...process.argv.slice(2)];
  const { status } = spawnSync(await findNode(), args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL } });
  process.exitCode = status ?? 1;
} else {
  console.error('No database is running here: start it with npm start, or set DATABASE_URL.');
  process.exitCode = 1;
}

/** The database of a running `npm start`. Connects to it first: a killed one leaves its address behind. */
async function findRunning() {
  try {
    const file = path.resolve(root, process.env.PETSTORE_DATA_DIR || '.petstore', 'url');
    const url = readFileSync(file, 'utf8').trim();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.destroy();
    return url;
  } catch {
    return undefined;
  }
}
