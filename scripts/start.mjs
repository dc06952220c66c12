// `npm start [-- <service>]` installs, builds, starts Postgres and serves. package.json runs it with a Node.js that runs TypeScript.
// It needs no package installed. `--watch` serves the sources, and restarts after each change. `--debug` opens the inspector.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { alone } from './alone.mjs';
import { cancel, onEnd, run } from './progress.mjs';
import { chosenService, packageManager, root } from './services.mjs';

const given = process.argv.slice(2);
const name = given.find((each) => !['--watch', '--debug'].includes(each));
const service = chosenService(name, (each) => `npm start -- ${each}`);
const command = name ? `npm start -- ${name}` : 'npm start';
const isWatching = given.includes('--watch');
// Also pnpm runs with this Node.js.
process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;

let isServing = false;
let isEnding = false;
onEnd(() => {
  if (isServing) return;
  isEnding = true;
  if (!cancel()) process.exit(0);
});

try {
  if (root.includes(path.delimiter))
    throw new Error(`This checkout does not build in a path with ${path.delimiter}: move it.`);
  await alone(installAndBuild);
  // It is found and built only now.
  const { start } = await import('../packages/service/src/start.ts');
  isServing = true;
  process.exit(await start(service, { isWatching, isDebugging: given.includes('--debug') }));
} catch ({ message }) {
  if (!isEnding) console.error(`\n${message}`);
  process.exit(isEnding ? 0 : 1);
}

async function installAndBuild() {
  const install = ['install', '--frozen-lockfile', '--reporter=append-only'];
  // In a development install, the production scope would remove the other packages.
  const platform = ['service', 'local-postgres'].map((each) => `@petstore-platform/${each}...`);
  const scope = ['.', `${service.package}...`, ...platform].map((each) => `--filter-prod=${each}`);
  if (!isWatching && !existsSync(path.join(root, 'node_modules/.bin/turbo'))) install.push('--prod', ...scope);
  // By default, npx asks the registry at each start, and waits over a minute without a network. Its cache may lack a new version.
  const state = path.join(root, 'node_modules/.modules.yaml');
  const isCached = existsSync(state) && readFileSync(state, 'utf8').includes(packageManager);
  const npx = [...(isCached ? ['--prefer-offline'] : []), '--yes', packageManager, ...install];
  const first = existsSync(path.dirname(state)) ? '' : ', the first time 80 MB with Postgres and TypeScript';
  const advice = (check) => `${check}, then run again: ${command}`;
  await run(`Installing${first}`, 'npx', npx, { advice: advice('Check the connection to the npm registry') });
  await run('Building', process.execPath, ['--run', 'build'], {
    cwd: path.join(root, service.folder),
    advice: advice('Check `git status` for local changes'),
  });
}
