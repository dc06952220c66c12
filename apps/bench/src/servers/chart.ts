import { median } from '@petstore/testkit/statistics';
import type { Sample } from './results.ts';
import { OURS } from './start.ts';

const WIDTH = 760;
const LABEL = 200;
const BAR = 14;
const GAP = 3;
const TITLE = 34;

/** Requests per second with 64 connections, a group of bars for each workload. Readable on a light and on a dark page. */
export function drawChart(samples: Sample[]): string {
  const shown = samples.filter(({ connections }) => connections === 64);
  const workloads = [...new Set(shown.map(({ workload }) => workload))];
  const servers = [...new Set(shown.map(({ server }) => server))];
  const rate = (workload: string, server: string) =>
    median(shown.filter((s) => s.workload === workload && s.server === server).map((s) => s.requestsPerSecond));
  const greatest = Math.max(...workloads.flatMap((workload) => servers.map((server) => rate(workload, server))));
  const parts: string[] = [];
  let y = 10;
  for (const workload of workloads) {
    parts.push(`<text x="0" y="${y + 16}" class="title">${workload}</text>`);
    y += TITLE - 10;
    for (const server of servers) {
      const value = rate(workload, server);
      const length = Math.max(1, (value / greatest) * (WIDTH - LABEL - 80));
      const own = server === OURS ? ' class="own"' : '';
      parts.push(
        `<text x="${LABEL - 8}" y="${y + BAR - 3}" text-anchor="end">${server}</text>`,
        `<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"${own}/>`,
        `<text x="${(LABEL + length + 6).toFixed(1)}" y="${y + BAR - 3}">${Math.round(value).toLocaleString('en')}</text>`,
      );
      y += BAR + GAP;
    }
    y += 10;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="Requests per second with 64 connections">
<style>
  text { font: 12px system-ui, sans-serif; fill: #59636e }
  .title { font-weight: 600; font-size: 13px }
  rect { fill: #8c959f }
  .own { fill: #1f883d }
  @media (prefers-color-scheme: dark) { text { fill: #9198a1 } rect { fill: #59636e } .own { fill: #3fb950 } }
</style>
${parts.join('\n')}
</svg>
`;
}
