import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, importing } from '../copy.ts';

const copy = copyRepository();

/** Makes the program whose command line matches `hangs` run forever, and an install before it succeed without effect. */
const hook = (hangs: RegExp, marker: string) => `
import { writeFileSync } from 'node:fs';
const line = process.argv.slice(1).join(' ');
if (${hangs}.test(line)) {
  writeFileSync(${JSON.stringify(marker)}, '');
  setInterval(() => {}, 1_000_000);
  await new Promise(() => {});
} else if (/npx.* install/.test(line)) process.exit(0);`;

const left = () => copy.processes();

const stages: [command: string, stage: string, hangs: RegExp][] = [
  ['start', 'Installing', /npx.* install/],
  ['start', 'Building', /bin\/tsc/],
  ['test', 'Testing', /npx.* test:workspace/],
];
const targets = (['npm', 'the process group'] as const).flatMap((target) =>
  stages.map((stage) => [target, ...stage] as const),
);

test.each(targets)('SIGINT to %s of `npm %s` leaves no process: %s', async (target, command, stage, hangs) => {
  const marker = path.join(copy.folder, 'hangs');
  const NODE_OPTIONS = importing(hook(hangs, marker));
  const npm = spawn('npm', [command], { cwd: copy.folder, env: { ...process.env, NODE_OPTIONS }, detached: true });
  onTestFinished(() => {
    for (const id of left()) process.kill(id, 'SIGKILL');
    rmSync(marker, { force: true });
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output += text));
  const timeout = 120_000;
  await expect.poll(() => existsSync(marker), { timeout }).toBe(true);
  await expect.poll(() => output, { timeout }).toContain(`• ${stage}`);
  // The script and the hanging program run, at least.
  expect(left().length).toBeGreaterThan(1);
  const { pid = 0 } = npm;
  process.kill(target === 'npm' ? pid : -pid, 'SIGINT');
  await expect.poll(() => npm.exitCode ?? npm.signalCode, { timeout }).not.toBeNull();
  await expect.poll(left, { timeout }).toEqual([]);
});
