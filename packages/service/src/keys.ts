/** Runs the command `keys` of a service, on DATABASE_URL or the database of its running start. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { issuerOf } from './issuer.ts';
import type { ServiceFolder } from './service-folder.ts';

/** Resolves to the exit code. */
export async function keys(service: ServiceFolder, args: string[]): Promise<number> {
  const DATABASE_URL = process.env.DATABASE_URL || (await findRunning(service));
  if (!DATABASE_URL || !existsSync(service.main)) {
    const advice = `start it with ${service.commands.start}, or set DATABASE_URL`;
    console.error(`No database of ${service.name} is running in ${service.data}: ${advice}.`);
    return 1;
  }
  const env = { ...process.env, ...issuerOf(service), DATABASE_URL };
  const { status } = spawnSync(process.execPath, [service.main, 'keys', ...args], { stdio: 'inherit', env });
  return status ?? 1;
}

/** Finds the database of a running start. It tries to connect, because a killed one leaves its address behind. */
async function findRunning({ data }: ServiceFolder): Promise<string | undefined> {
  try {
    const url = readFileSync(path.join(data, 'url'), 'utf8').trim();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.destroy();
    return url;
  } catch {
    return undefined;
  }
}
