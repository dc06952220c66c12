// `node scripts/node.mjs <script> …` runs a script with a Node.js that runs TypeScript. That is this one if it is recent enough,
// otherwise the workspace's. Runs on Node.js 20 without any package installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { alone } from './alone.mjs';
import { main, run, runHere } from './progress.mjs';
import { root } from './services.mjs';

/** The path of a Node.js that runs TypeScript directly: 22.18 or later. */
export async function findNode() {
  if (process.features.typescript) return process.execPath;
  const installed = path.join(root, 'node_modules/node/bin/node');
  if (existsSync(installed)) return installed;
  const [, version] = /^ {2}node: (\S+)$/m.exec(readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8'));
  const npx = ['--yes', `--package=node@${version}`, '--call', 'node -p process.execPath'];
  const { status, stdout } = spawnSync('npx', ['--offline', ...npx], { encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  const title = `Getting Node.js ${version}, 50 MB, as this is ${process.version}`;
  const advice = 'Check the connection to the npm registry, or install Node.js 22.18 or later. Then: npm start';
  return (await run(title, 'npx', npx, { advice })).trim();
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    process.exitCode = await runHere(await alone(findNode), process.argv.slice(2));
  });
