// Says whether this repository has code scanning and dependency review: private ones may lack them.
import { appendFileSync } from 'node:fs';

const { GITHUB_API_URL, GITHUB_OUTPUT, GITHUB_REPOSITORY, GH_TOKEN, BASE, HEAD } = process.env;
const scans = { 'code-scanning': 'code-scanning/alerts?per_page=1' };
if (BASE) scans['dependency-review'] = `dependency-graph/compare/${BASE}...${HEAD}`;

for (const [scan, resource] of Object.entries(scans)) {
  const headers = { Authorization: `Bearer ${GH_TOKEN}`, Accept: 'application/vnd.github+json' };
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${resource}`, { headers });
  const { message = '' } = await response.json();
  // 404: no analysis yet, for code scanning; no dependency graph, for the other.
  const isOff =
    (response.status === 403 && /enabled/.test(message)) || (response.status === 404 && scan !== 'code-scanning');
  if (!response.ok && !isOff && response.status !== 404)
    throw new Error(`GitHub answered ${resource} with ${response.status}: ${message}`);
  if (isOff) console.log(`::notice::This repository has no ${scan}, so it is skipped: ${message}`);
  appendFileSync(GITHUB_OUTPUT, `${scan}=${!isOff}\n`);
}
