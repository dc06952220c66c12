// Each query of the dashboard and each metric of the alerts is above zero, with Prometheus scraping an overloaded server.
import { readFileSync, writeFileSync } from 'node:fs';
import { until } from '../../packages/testkit/src/eventually.ts';
import { examples, SERVICE } from './document.mjs';
import { during, eventually, isReady, sh } from './shell.mjs';

/** Half of the requests at a time are refused for overload. */
const [CLIENTS, MAX_REQUESTS] = [64, 32];
const PROMETHEUS = {
  global: { scrape_interval: '1s' },
  scrape_configs: [{ job_name: 'service', static_configs: [{ targets: ['127.0.0.1:9464'] }] }],
};

export async function tryDashboard({ headers }) {
  const { panels } = JSON.parse(readFileSync('deploy/grafana/service.json', 'utf8'));
  const alerts = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
  const metrics = alerts.match(/\b(?:http_server|service|nodejs)_[a-z\d_]+\b(?!:)/g);
  let missing = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...new Set(metrics)].map((metric) => `count(${metric}{job="service"})`),
  ];
  const client = { ...headers, [`X-${SERVICE}-Client`]: 'js/1.0.0' };
  const json = { ...client, 'Content-Type': 'application/json' };
  const requests = Object.values(examples).map(({ method, target, body }) => [
    target,
    { method, headers: body ? json : client, body: JSON.stringify(body) },
  ]);
  const [[first]] = requests;
  // This also makes failures: an unknown path, and a missing key.
  requests.push([`${first.split('?', 1)[0]}/-`, { headers }], [first]);

  writeFileSync('/srv/prometheus.json', JSON.stringify(PROMETHEUS));
  sh(`
echo MAX_REQUESTS=${MAX_REQUESTS} >> /etc/${SERVICE}/server.env
systemctl restart server@${SERVICE}
systemd-run --quiet --unit prometheus-check --property DynamicUser=yes --property StateDirectory=prometheus-check \
  prometheus --config.file=/srv/prometheus.json --storage.tsdb.path=/var/lib/prometheus-check --log.level=error`);
  await eventually('the server is ready', () => isReady());
  let sent = 0;
  const one = async () => {
    const [target, init] = requests[sent++ % requests.length];
    await (await fetch(`http://127.0.0.1:3000${target}`, init)).text();
  };
  const haveData = async () => {
    const found = await Promise.all(missing.map(hasData));
    missing = missing.filter((_query, index) => !found[index]);
    return missing.length === 0;
  };
  await during(() => until(haveData, () => `no data:\n${missing.join('\n')}`, 300_000), one, CLIENTS);
  sh('systemctl stop prometheus-check');
}

/** Whether a query returns a value above zero, with Grafana's variables substituted. */
async function hasData(expr) {
  const query = expr
    .replaceAll('[$__rate_interval]', '[10s]')
    .replaceAll('$instance', '.+')
    .replaceAll('$job', 'service');
  const response = await fetch(`http://127.0.0.1:9090/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => {});
  const answer = await response?.json();
  if (answer?.status === 'error') throw new Error(`${expr}: ${answer.error}`);
  return answer?.data.result.some(({ value: [, value] }) => Number(value) > 0);
}
