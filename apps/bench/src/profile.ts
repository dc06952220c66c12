import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Postgres, seed, withPostgres } from './database.ts';
import { cpuTime } from './servers/cpu.ts';
import { type Profile, timeByPart } from './servers/cpu-profile.ts';
import { OURS, startServer } from './servers/start.ts';
import { KEYS, PETS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

const CONNECTIONS = 64;
const SERVERS = [OURS, 'node-http'];

/** Profiles the CPU time of a request by part of the program: the server beside bare `node:http`. */
export function benchProfile({ quick = false } = {}): Promise<string> {
  return withPostgres(async (postgres) => {
    const keys = await seed(postgres.url, { pets: PETS, keys: KEYS });
    const columns = new Map<string, Map<string, number>>();
    for (const workload of workloads) {
      for (const server of SERVERS) {
        const name = `${workload.name}: ${server}`;
        console.error(name);
        columns.set(name, await profile(server, workload, keys, postgres, quick ? 2 : 6));
      }
    }
    const head = `Microseconds of CPU time per request with ${CONNECTIONS} connections, profiler running.`;
    return [head, '', ...table(columns)].join('\n');
  });
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const microseconds = () => Number(process.hrtime.bigint() / 1_000n);

/** Microseconds per request, by part of the program. */
async function profile(
  name: string,
  workload: Workload,
  keys: string[],
  postgres: Postgres,
  seconds: number,
): Promise<Map<string, number>> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'petstore-profile-'));
  const options = `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${folder.path} --cpu-prof-name=profile`;
  const server = await startServer(name, postgres.url, options);
  const requests = workload.requests(keys);
  await wrk(server.origin, requests, { connections: CONNECTIONS, seconds: 2 });
  const from = microseconds();
  const before = cpuTime(server.pid);
  const { requestsPerSecond } = await wrk(server.origin, requests, { connections: CONNECTIONS, seconds });
  const perRequest = ((cpuTime(server.pid) - before) * 1_000) / (requestsPerSecond * seconds);
  const to = microseconds();
  await server.stop();
  const recorded = JSON.parse(await readFile(path.join(folder.path, 'profile'), 'utf8')) as Profile;
  const parts = timeByPart(recorded, { from, to });
  const total = sum(parts.values());
  return new Map([...parts].map(([part, time]) => [part, (time / total) * perRequest]));
}

function table(columns: Map<string, Map<string, number>>): string[] {
  const figures = [...columns.values()];
  const parts = [...new Set(figures.flatMap((column) => [...column.keys()]))];
  const ofPart = (part: string) => figures.map((column) => column.get(part) ?? 0);
  const shown = parts.filter((part) => Math.max(...ofPart(part)) >= 0.1);
  shown.sort((a, b) => sum(ofPart(b)) - sum(ofPart(a)));
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...columns.keys()]),
    row(['---', ...figures.map(() => '---:')]),
    ...shown.map((part) => row([part, ...ofPart(part).map((time) => time.toFixed(1))])),
    row(['**sum**', ...figures.map((column) => `**${sum(column.values()).toFixed(1)}**`)]),
  ];
}
