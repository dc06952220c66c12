/** The golden corpus: `changes/<case>/{base.yaml,head.yaml,expected.json}`, and Redocly's report on each case. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type DiffEntry, diffFiles } from '../../src/redocly.ts';
import type { Bump, Impact } from '../../src/review/finding.ts';

export const CHANGES = fileURLToPath(new URL('../changes/', import.meta.url));
export const CASES = readdirSync(CHANGES).sort();

export interface Expected {
  why?: string;
  requiredBump: Bump;
  changes: { impact: Impact; rule: string; operations: string[] }[];
}

export const fileOf = (name: string, side: 'base' | 'head') => join(CHANGES, name, `${side}.yaml`);

export function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(join(CHANGES, name, 'expected.json'), 'utf8'));
}

/**
 * Redocly's report on every case. Starting it takes longer than all the rest, so that cases with nothing but one path
 * in which they differ share one pair of documents.
 */
export async function redoclyReports(): Promise<Map<string, DiffEntry[]>> {
  const reports = new Map<string, DiffEntry[]>(CASES.map((name) => [name, []]));
  const together = CASES.filter(isOnePath);
  for (const entry of await diffTogether(together)) {
    const place = entry.revision ?? entry.base;
    const name = /^#\/paths\/~1([^/]+)~1orders/.exec(place?.pointer ?? '')?.[1] ?? '';
    for (const side of ['base', 'revision'] as const) {
      const at = entry[side];
      if (!at) continue;
      at.file = fileOf(name, side === 'base' ? 'base' : 'head');
      at.pointer = at.pointer.replace(`~1${name}~1orders`, '~1orders');
    }
    reports.get(name)?.push(entry);
  }
  const alone = CASES.filter((name) => !together.includes(name));
  await Promise.all(
    [0, 1, 2].map(async (worker) => {
      for (const name of alone.filter((_, index) => index % 3 === worker)) {
        reports.set(name, await diffFiles(fileOf(name, 'base'), fileOf(name, 'head')));
      }
    }),
  );
  return reports;
}

function read(name: string, side: 'base' | 'head') {
  return parse(readFileSync(fileOf(name, side), 'utf8'));
}

function isOnePath(name: string): boolean {
  const [base, head] = [read(name, 'base'), read(name, 'head')];
  const rest = ({ paths, ...others }: Record<string, unknown>) =>
    JSON.stringify([others, Object.keys(paths as object)]);
  const plain = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://shop.example/v1' }],
  };
  const expected = JSON.stringify([plain, ['/orders']]);
  return [base, head].every((document) => rest(document) === expected && !JSON.stringify(document).includes('./'));
}

async function diffTogether(names: readonly string[]): Promise<DiffEntry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-corpus-'));
  try {
    const [base, head] = (['base', 'head'] as const).map((side) => {
      const paths = Object.fromEntries(names.map((name) => [`/${name}/orders`, read(name, side).paths['/orders']]));
      const file = join(folder, `${side}.json`);
      writeFileSync(file, JSON.stringify({ ...read(names[0] as string, side), paths }));
      return file;
    });
    return await diffFiles(base as string, head as string);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
