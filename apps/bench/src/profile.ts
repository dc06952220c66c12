import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Postgres, seed, withPostgres } from './database.ts';
import { describeMachine, keep, today } from './report.ts';
import { cpuTime } from './servers/cpu.ts';
import { type Profile, timeByPart } from './servers/cpu-profile.ts';
import { OURS, startServer } from './servers/start.ts';
import { ANIMALS, KEYS, type Workload, workloads } from './servers/workloads.ts';
import { wrk } from './servers/wrk.ts';

const CONNECTIONS = 64;
const SERVERS = [OURS, 'node-http'];

/** Where the processor time of a request goes, by V8's profiler: the server beside bare `node:http`. */
export function benchProfile({ quick = false } = {}): Promise<void> {
  return withPostgres(async (postgres) => {
    const keys = await seed(postgres.url, { animals: ANIMALS, keys: KEYS });
    const columns = new Map<string, Map<string, number>>();
    for (const workload of workloads) {
      for (const server of SERVERS) {
        console.error(`${workload.name}: ${server}`);
        const name = `${workload.name}: ${server}`;
        columns.set(name, await profile(server, workload, keys, postgres, quick ? 2 : 6));
      }
    }
    const text = [
      `\`pnpm bench profile${quick ? ' --quick' : ''}\`, ${today()}, ${describeMachine()}: microseconds of processor time`,
      `per request with ${CONNECTIONS} connections, while the profiler runs.`,
      '',
      ...table(columns),
      '',
    ].join('\n');
    console.log(text);
    await keep('profile.md', text, { quick });
  });
}

const microseconds = () => Number(process.hrtime.bigint() / 1_000n);

/** Microseconds per request, by part. */
async function profile(
  name: string,
  workload: Workload,
  keys: string[],
  postgres: Postgres,
  seconds: number,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-profile-'));
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-interval=200 --cpu-prof-dir=${folder} --cpu-prof-name=profile`;
  try {
    const server = await startServer(name, postgres.url);
    const requests = workload.requests(keys);
    await wrk(server.origin, requests, { connections: CONNECTIONS, seconds: 2 });
    const from = microseconds();
    const before = cpuTime(server.pid);
    const { requestsPerSecond } = await wrk(server.origin, requests, { connections: CONNECTIONS, seconds });
    const perRequest = ((cpuTime(server.pid) - before) * 1_000) / (requestsPerSecond * seconds);
    const to = microseconds();
    await server.stop();
    const recorded = JSON.parse(await readFile(path.join(folder, 'profile'), 'utf8')) as Profile;
    const parts = timeByPart(recorded, { from, to });
    const total = [...parts.values()].reduce((sum, time) => sum + time, 0);
    return new Map([...parts].map(([part, time]) => [part, (time / total) * perRequest]));
  } finally {
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = NODE_OPTIONS;
    await rm(folder, { recursive: true });
  }
}

function table(columns: Map<string, Map<string, number>>): string[] {
  const figures = [...columns.values()];
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const parts = [...new Set(figures.flatMap((column) => [...column.keys()]))];
  const ofPart = (part: string) => figures.map((column) => column.get(part) ?? 0);
  // Too little to be seen.
  const shown = parts.filter((part) => Math.max(...ofPart(part)) >= 0.1);
  shown.sort((a, b) => sum(ofPart(b)) - sum(ofPart(a)));
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['', ...columns.keys()]),
    row(['---', ...figures.map(() => '---:')]),
    ...shown.map((part) => row([part, ...ofPart(part).map((time) => time.toFixed(1))])),
    row(['**sum**', ...figures.map((column) => `**${sum([...column.values()]).toFixed(1)}**`)]),
  ];
}
