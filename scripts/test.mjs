// `npm test`: installs all packages and runs all tests. Runs on Node.js 20 without any package installed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { alone } from './alone.mjs';
import { main, run } from './progress.mjs';
import { manifests, packageManager, root } from './services.mjs';

const began = Date.now();
const pnpm = (title, advice, ...args) => run(title, 'npx', ['--yes', packageManager, ...args], { advice });

await main(async () => {
  const install = ['install', '--frozen-lockfile', '--reporter=append-only'];
  await alone(() => pnpm('Installing', 'Check the connection to the npm registry. Then: npm test', ...install));
  const testing = pnpm('Testing', `The whole output: npx ${packageManager} test:workspace`, 'test:workspace');
  const output = await testing.catch(({ message }) => {
    throw new Error(`${message}\n${failures()}`);
  });
  // The lines of interest are skipped tests with their reasons, and turbo's summary.
  for (const line of output.split('\n')) if (/ ↓ |Skipped:|^ Tasks: /.test(line)) console.log(line);
});

/** The failed tests with their messages, and the command to run each file again. */
function failures() {
  const texts = [];
  const folders = manifests().map(({ folder }) => folder);
  for (const folder of [...folders, 'examples/realworld', 'test']) {
    const report = path.join(root, folder, 'test-results/vitest.json');
    if (!existsSync(report)) continue;
    const { startTime, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    // Reports of earlier runs are ignored.
    if (startTime < began) continue;
    for (const { name, message, status, assertionResults } of testResults) {
      if (status !== 'failed') continue;
      const failed = assertionResults.filter((each) => each.status === 'failed');
      const reasons = failed.map(
        ({ fullName, failureMessages: [reason = ''] }) => `${fullName}\n${reason.split('\n').slice(0, 6).join('\n')}`,
      );
      const again = `npx ${packageManager} --dir ${folder} exec vitest run ${path.relative(path.join(root, folder), name)}`;
      texts.push([...(message ? [message] : []), ...reasons, `Again: ${again}`].join('\n\n'));
    }
  }
  return texts.map((text) => `\n${text}\n`).join('');
}
