// Runs the command `keys` of a service, on DATABASE_URL or the database of its running `npm start`:
// `npm run keys -- [--service <name>] create --name me --plan free`. `token` issues one of the issuer of `npm start`.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { issuerOf } from './issuer.mjs';
import { findNode } from './node.mjs';
import { chosenService } from './services.mjs';

const given = process.argv.slice(2);
const [, name] = given[0] === '--service' ? given.splice(0, 2) : [];
const service = chosenService(name, (each) => `npm run keys -- --service ${each} ${given.join(' ')}`.trimEnd());

const DATABASE_URL = process.env.DATABASE_URL || (await findRunning());
if (DATABASE_URL && existsSync(service.main)) {
  const args = [service.main, 'keys', ...given];
  const { status } = spawnSync(await findNode(), args, {
    stdio: 'inherit',
    env: { ...process.env, ...issuerOf(service), DATABASE_URL },
  });
  process.exitCode = status ?? 1;
} else {
  console.error(
    `No database of ${service.name} is running here: start it with npm start -- ${service.name}, or set DATABASE_URL.`,
  );
  process.exitCode = 1;
}

/** Finds the database of a running `npm start`. It tries to connect, because a killed one leaves its address behind. */
async function findRunning() {
  try {
    const url = readFileSync(path.join(service.data, 'url'), 'utf8').trim();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.destroy();
    return url;
  } catch {
    return undefined;
  }
}
