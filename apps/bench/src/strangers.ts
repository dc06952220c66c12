import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startNginx } from '@petstore-platform/testkit/nginx';
import { seed, withPostgres } from './database.ts';
import { cpuTime, cpuTimeOfAll } from './servers/cpu.ts';
import { OURS, startServer } from './servers/start.ts';
import { drive, type Way } from './strangers/drive.ts';
import { type Stranger, strangers } from './strangers/requests.ts';

/** The cost of a request on a way. */
interface Cost {
  sent: number;
  received: number;
  /** Bytes of the log. */
  log: number;
  /** Requests of a connection. */
  kept: boolean;
  /** Microseconds of CPU time of the server, of Postgres and of nginx. */
  cpu: { server: number; postgres: number; nginx: number };
}

/** Measures what a request without credentials costs: bytes, CPU time and connections, with and without a proxy. */
export function benchStrangers({ quick = false } = {}): Promise<string> {
  return withPostgres(async ({ url, pids }) => {
    await seed(url, { pets: 100 });
    await using run = new AsyncDisposableStack();
    const folder = mkdtempSync(path.join(tmpdir(), 'petstore-strangers-'));
    run.defer(() => rmSync(folder, { recursive: true }));
    const log = openSync(path.join(folder, 'log'), 'w');
    run.defer(() => closeSync(log));
    // The IPv4 address is that of nginx, the other one names clients of networks that this machine does not have.
    const environment = { HOST: '::', TRUST_PROXY: '127.0.0.1,::1' };
    const server = await startServer(OURS, url, '', { environment, log });
    run.defer(server.stop);
    const port = Number(new URL(server.origin).port);
    // Its limit of strangers would refuse most of them.
    const nginx = await startNginx(port, { change: (conf) => conf.replace(/^ *limit_req .*$/m, '') });
    if (nginx) run.defer(nginx.stop);
    const ways: Way[] = [
      { name: 'IPv4', host: '127.0.0.1', port, addresses: 'own' },
      { name: 'IPv6', host: '::1', port, addresses: 'forwarded' },
    ];
    if (nginx) ways.push({ name: 'nginx', host: '127.0.0.1', port: nginx.port, isTls: true, addresses: 'own' });

    const measure = async (stranger: Stranger, way: Way): Promise<Cost> => {
      const cpu = () => [cpuTime(server.pid), cpuTimeOfAll(pids[0] as number), ...(nginx?.pids ?? []).map(cpuTime)];
      await drive(stranger, way, quick ? 100 : 500);
      const [before, begun] = [cpu(), fstatSync(log).size];
      const { requests, sent, received, connections } = await drive(stranger, way, quick ? 300 : 2_000);
      const [ofServer = 0, postgres = 0, ofProxy = 0] = cpu().map(
        (time, index) => ((time - (before[index] as number)) * 1_000) / requests,
      );
      return {
        sent: sent / requests,
        received: received / requests,
        log: (fstatSync(log).size - begun) / requests,
        kept: requests > connections,
        cpu: { server: ofServer, postgres, nginx: ofProxy },
      };
    };

    const page = await fetch(`${server.origin}/docs`);
    const [, script = ''] = /<script src="([^"]+)"/.exec(await page.text()) ?? [];
    const { headers } = await fetch(`${server.origin}${script}`, {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'gzip' },
    });
    const rows: string[] = [];
    for (const stranger of strangers(script, `${headers.get('etag')}`)) {
      const costs: Cost[] = [];
      for (const way of ways) costs.push(await measure(stranger, way));
      rows.push(rowOf(stranger, costs));
      console.error(rows.at(-1));
    }
    return [
      'Bytes and microseconds of CPU time per request; those of Postgres where it is asked. Each connection sends 20 requests.',
      '',
      '| Request | Response | Sent → received | Log | IPv4 | IPv6 | nginx + server | Connection |',
      '|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
}

function rowOf({ name, status, isQuery, isOfProxy }: Stranger, [ipv4, ipv6, behind]: Cost[]): string {
  const cpu = ({ server, postgres }: Cost['cpu']) =>
    `${micro(server)}${isQuery ? ` + ${micro(postgres)} of Postgres` : ''}`;
  if (!ipv4 || !ipv6) throw new Error('Nothing was measured');
  const proxied = behind ? `${micro(behind.cpu.nginx)} + ${isOfProxy ? 0 : micro(behind.cpu.server)}` : '';
  const cells = [
    name,
    `${status}`,
    `${size(ipv4.sent)} → ${size(ipv4.received)}`,
    size(ipv4.log),
    cpu(ipv4.cpu),
    cpu(ipv6.cpu),
    proxied,
    ipv4.kept ? 'kept' : 'closed',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** With two digits: the further ones differ between runs. */
const micro = (value: number) => `${Number(value.toPrecision(2))}`;

const size = (bytes: number) => (bytes < 10_000 ? `${Math.round(bytes)}` : `${Math.round(bytes / 1_000)} kB`);
