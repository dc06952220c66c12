import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The files for a machine without containers. .ci/machine follows them on one. */
const deploy = fileURLToPath(new URL('../../../deploy', import.meta.url));

function has(command: string, option: string, what: string): boolean {
  const found = spawnSync(command, [option]).status === 0;
  if (!found) console.warn(`Skipped: ${what}, as ${command} is not installed`);
  return found;
}

test.runIf(has('systemd-analyze', '--version', 'deploy/systemd'))('the unit is valid, and gives few rights', () => {
  const unit = path.join(mkdtempSync(path.join(tmpdir(), 'petstore-machine-')), 'server@.service');
  cpSync(path.join(deploy, 'systemd/server@.service'), unit);
  writeFileSync(unit, readFileSync(unit, 'utf8').replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  // systemd rates a unit from 0 (safe) to 10; the option takes ten times that.
  expect(spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]).status).toBe(0);
});

test('each alert has a section of the runbook', () => {
  const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8');
  const sections = Array.from(read('runbook.md').matchAll(/^## (Service\w+)$/gm), ([, name]) => name);
  expect(sections).toEqual(Array.from(read('prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g), ([, name]) => name));
});
