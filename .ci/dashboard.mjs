// Checks that each query of the dashboard and each metric of the alerts is above zero, with Prometheus scraping an overloaded server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../packages/testkit/src/postgres.ts';
import { commandLineOf, freePort } from '../packages/testkit/src/server.ts';
import { anyService } from '../scripts/services.mjs';
import { until } from '../scripts/until.mjs';

const service = anyService(process.argv[2]);
const { createKey, serve } = commandLineOf({ script: service.main });

const DEADLINE = 300_000;
/** Half of the requests at a time are refused for overload. */
const [CLIENTS, MAX_REQUESTS] = [64, 32];

const { panels } = JSON.parse(readFileSync('deploy/grafana/service.json', 'utf8'));
const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
const alerts = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
for (const metric of new Set(alerts.match(/\b(?:http_server|service|nodejs)_[a-z\d_]+\b(?!:)/g)))
  queries.push({ title: 'alerts', expr: `count(${metric}{job="service"})` });

const folder = mkdtempSync(path.join(tmpdir(), 'dashboard-'));
const postgres = await startPostgres({ fsync: 'off' });
const [port, metricsPort, prometheusPort] = [await freePort(), await freePort(), await freePort()];
const server = await serve(
  {
    PORT: String(port),
    DATABASE_URL: postgres.url,
    METRICS_PORT: String(metricsPort),
    MAX_REQUESTS: String(MAX_REQUESTS),
    LOG_LEVEL: 'error',
  },
  '--migrate',
);
writeFileSync(
  path.join(folder, 'prometheus.yaml'),
  JSON.stringify({
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'service', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  }),
);
const prometheus = spawn(
  'prometheus',
  [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--log.level=error',
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
const ended = once(prometheus, 'exit');

/** Whether a query returns a value above zero, with Grafana's variables substituted. */
async function hasData({ expr }) {
  const query = expr
    .replaceAll('[$__rate_interval]', '[10s]')
    .replaceAll('$instance', '.+')
    .replaceAll('$job', 'service');
  const url = `http://127.0.0.1:${prometheusPort}/api/v1/query?query=${encodeURIComponent(query)}`;
  const response = await fetch(url).catch(() => undefined);
  const answer = await response?.json();
  if (answer?.status === 'error') throw new Error(`${expr}: ${answer.error}`);
  return answer?.data.result.some(({ value: [, value] }) => Number(value) > 0);
}

try {
  const { key } = await createKey(postgres.url);
  const { examples } = await import(path.resolve(service.folder, 'src/generated/examples.ts'));
  const headers = { Authorization: `Bearer ${key}`, [`X-${service.name}-Client`]: 'js/1.0.0' };
  const json = { ...headers, 'Content-Type': 'application/json' };
  const requests = Object.values(examples).map(({ method, target, body }) => [
    target,
    { method, headers: body ? json : headers, body: JSON.stringify(body) },
  ]);
  const [[first]] = requests;
  // This also makes failures: an unknown path, and a missing key.
  requests.push([`${first.split('?', 1)[0]}/-`, { headers }], [first]);
  let missing = queries;
  let sent = 0;
  const began = Date.now();
  let isOver = false;
  const load = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const [target, init] = requests[sent++ % requests.length];
      await (await fetch(`http://127.0.0.1:${port}${target}`, init)).text();
    }
  });
  const haveData = async () => {
    const found = await Promise.all(missing.map(hasData));
    missing = missing.filter((_query, index) => !found[index]);
    return missing.length === 0;
  };
  const failure = () => `no data: ${missing.map(({ title, expr }) => `\n${title}: ${expr}`).join('')}`;
  await until(haveData, failure, DEADLINE).finally(() => {
    isOver = true;
  });
  await Promise.all(load);
  const rate = Math.round((sent / (Date.now() - began)) * 1_000);
  console.log(`${queries.length} queries have data at ${rate} requests per second`);
} finally {
  prometheus.kill();
  await ended;
  await server.stop();
  await postgres.close();
  rmSync(folder, { recursive: true });
}
