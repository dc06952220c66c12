// Steps of contract-review.yml.
//
//   node .ci/contract-review.mjs review    writes report.md, the summary of the job, and the output `status`
//   node .ci/contract-review.mjs reference writes the reference page to reference/, readable without a server
//   node .ci/contract-review.mjs comment   keeps one comment of the pull request for each contract in report.md
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';

const { BASE, GITHUB_API_URL, GITHUB_OUTPUT, GITHUB_REPOSITORY, GITHUB_STEP_SUMMARY, GH_TOKEN, PULL_REQUEST, TO_TRY } =
  process.env;
/** A report begins with the marker by which its comment is found again, on a line of its own. */
const MARKER = '<!-- contract-review: ';
/** GitHub's limit is 65,536. The summary of the job is complete. */
const MAX_COMMENT = 60_000;

function review() {
  const command = ['packages/contract/src/main.ts', 'review', '--base', BASE];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  // The runner reads annotations from here.
  process.stderr.write(stderr);
  const failed = `${MARKER}none -->\n## Contract review: could not be made ✗\n\n\`\`\`\n${stderr}\`\`\`\n`;
  const report = stdout || failed;
  writeFileSync('report.md', report);
  appendFileSync(GITHUB_STEP_SUMMARY, report);
  appendFileSync(GITHUB_OUTPUT, `status=${status}\n`);
}

async function reference() {
  await import('../packages/server-runtime/scripts/docs.ts');
  cpSync('packages/server-runtime/dist/docs', 'reference', { recursive: true });
  const { document, reference: content } = await import('../apps/server/src/generated/document.ts');
  const change = (file, from, to) =>
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(from, () => to),
    );
  change('reference/index.html', /"\/docs\//g, '"./');
  change('reference/index.html', '{{title}}', document.info.title);
  change('reference/start.js', "url: '/docs/openapi.json'", `content: ${content}`);
}

async function comment() {
  const reports = readFileSync('report.md', 'utf8').split(MARKER).slice(1);
  const comments = `issues/${PULL_REQUEST}/comments`;
  const existing = [];
  for (let page = 1; page === 1 || existing.length === 100 * (page - 1); page++)
    existing.push(...(await github('GET', `${comments}?per_page=100&page=${page}`)));
  for (const report of reports.map((rest) => MARKER + rest)) {
    const [marker] = report.split('\n');
    const body = `${report.slice(0, MAX_COMMENT)}\n${TO_TRY}\n`;
    const own = existing.find((each) => each.user.login === 'github-actions[bot]' && each.body.startsWith(marker));
    if (own) await github('PATCH', `issues/comments/${own.id}`, { body });
    else await github('POST', comments, { body });
  }
}

async function github(method, resource, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${resource}`, {
    method,
    headers: { Authorization: `Bearer ${GH_TOKEN}`, Accept: 'application/vnd.github+json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`GitHub answered ${resource} with ${response.status}: ${answer.message}`);
  return answer;
}

await { review, reference, comment }[process.argv[2]]();
