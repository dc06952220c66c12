// Runs the checks of one kind and shows what each prints: `pnpm check:lint`. The jobs of ci.yml and .ci/run call the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** The commands of a list run at the same time, and the lists one after the other. */
const CHECKS = {
  lint: [
    [
      // Installs nothing: it verifies the versions in the lockfile, against the registry: minimum age and trust level.
      'pnpm install --frozen-lockfile --config.trust-lockfile=false',
      // Fails on advisories of severity high and above. Mirrors without advisories only cause a warning.
      'pnpm audit --audit-level high --ignore-registry-errors',
      'pnpm contract:generate --check',
      'pnpm contract:lint',
      'pnpm tables --check',
      'pnpm lint',
      'pnpm lint:redos',
      'pnpm lint:docs',
      'pnpm lint:unused',
      'node .ci/release.mjs check',
      'node .ci/budget.mjs',
      '.ci/workflows',
      "! git grep -inE '\\b(pets?|animals?)\\b|petstore($|[^-]|-[^p])' 'packages/*/src/**' ':!packages/*client/**'",
    ],
    ['pnpm typecheck'],
  ],
  test: [['npm test']],
  slow: [
    [
      'pnpm --dir test test:slow',
      "pnpm --recursive --filter '!@repo/repository' --no-sort --workspace-concurrency=2 --no-bail test:slow",
    ],
    ['pnpm size'],
    ['pnpm run package'],
  ],
  deploy: [
    // Most parts of the proof wait for servers, so they run beside Schemathesis, which computes.
    ['.ci/deploy', '.ci/proof contract', '.ci/proof protocol faults failover'],
    // This is skipped without a container engine: installing one takes most of a minute, and needs a registry.
    ['node .ci/container.mjs'],
  ],
};

const [kind] = process.argv.slice(2);
if (!Object.hasOwn(CHECKS, kind ?? '')) {
  console.error(`Usage: node .ci/check.mjs ${Object.keys(CHECKS).join('|')}`);
  process.exit(2);
}
let passed = 0;
const failed = [];
for (const commands of CHECKS[kind]) {
  const runs = commands.map((command) => {
    const child = spawn('bash', ['-c', `${command} 2>&1`], {
      // Programs in Go, such as tsc, collect garbage a quarter as often: that takes a fifth of their processor time.
      env: { ...process.env, GOGC: '400' },
      // A command that runs alone shows its progress.
      stdio: ['ignore', commands.length > 1 ? 'pipe' : 'inherit', 'inherit'],
    });
    return { command, output: child.stdout ? text(child.stdout) : undefined, exited: once(child, 'exit') };
  });
  for (const { command, output, exited } of runs) {
    console.log(`== ${command}`);
    if (output) process.stdout.write(await output);
    const [code] = await exited;
    if (code === 0) passed += 1;
    else failed.push(command);
  }
}
// .ci/summary.mjs reads it.
mkdirSync('test-results', { recursive: true });
writeFileSync(`test-results/check-${kind}.json`, JSON.stringify({ passed, failed: failed.length }));
for (const command of failed) console.log(`== failed: ${command}`);
if (failed.length > 0) process.exitCode = 1;
