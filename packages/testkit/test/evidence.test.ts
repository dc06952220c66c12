import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginEvidence } from '../src/evidence.ts';

const REPORT = 'apps/bench/results/servers.md';

let root: string;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
function commit() {
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@bookstore.example', 'commit', '--quiet', '--allow-empty', '-m', 'a');
  return git('rev-parse', 'HEAD').slice(0, 12);
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'evidence-'));
  git('init', '--quiet');
  write('apps/server/package.json', '{ "version": "1.2.3" }');
});

afterEach(() => rmSync(root, { recursive: true }));

test('a report names its commit', () => {
  for (let times = 0; times < 2; times++) {
    const hash = commit();
    const { source, write: publish } = beginEvidence('pnpm bench', root);
    expect(source).toMatch(new RegExp(`^\`pnpm bench\`, \\d{4}-\\d\\d-\\d\\d, server 1\\.2\\.3, commit ${hash}, `));
    publish(REPORT, `${source}\n`);
    // A report of the same run does not make the tree dirty.
    publish(REPORT, `${source}\n`);
    expect(read(REPORT)).toBe(`${source}\n`);
  }
});

test('a dirty tree is refused before the run, and a commit during it', () => {
  commit();
  write('apps/server/seeded.ts', '');
  expect(() => beginEvidence('pnpm bench', root)).toThrow('?? apps/server/seeded.ts');
  commit();
  const { write: publish } = beginEvidence('pnpm bench', root);
  commit();
  expect(() => publish(REPORT, 'a')).toThrow('HEAD has moved');
});
