// `npm start`: install what serving needs, build, serve. Runs on any Node.js from 20, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const windows = process.platform === 'win32';

/** Shows only the step's name; its output when it fails. */
function step(name, ...args) {
  console.error(`• ${name}`);
  const { status, stdout, stderr, error } = spawnSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    encoding: 'utf8',
    shell: windows,
  });
  if (status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  process.exit(1);
}

// A development install has all of this and more; installing without it would remove the rest.
const scope = existsSync(path.join(root, 'node_modules/.bin/turbo'))
  ? []
  : ['--prod', '--filter', '.', '--filter', '@petstore/server'];
step('Installing', 'install', '--frozen-lockfile', ...scope);
step('Building', '--filter', '@petstore/server', 'build');

// The Node.js that the workspace pins, whatever the machine has.
const node = path.join(root, 'node_modules/node/bin', windows ? 'node.exe' : 'node');
const server = spawn(node, [path.join(root, 'apps/server/dist/main.js'), 'serve', '--quickstart'], {
  stdio: 'inherit',
  cwd: root,
});

// A terminal's Ctrl-C reaches the server by itself; a process manager signals only this process, or npm, whose shell ends
// without passing the signal on.
let stopping = false;
const stop = (signal) => {
  if (!stopping) server.kill(signal);
  stopping = true;
};
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop('SIGTERM'));
const { ppid } = process;
const orphaned = setInterval(() => process.ppid !== ppid && stop('SIGTERM'), 500);
server.on('exit', (code) => {
  clearInterval(orphaned);
  process.exitCode = code ?? 1;
});
