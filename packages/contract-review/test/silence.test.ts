/** No change passes silently: edits each field of each object of OpenAPI, and expects a finding. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { diffContracts, readVersion, unrated } from '../src/diff.ts';
import { type Edit, edits, FIXTURES } from './silence.ts';

const EVERY = Number(process.env.EVERY ?? 12);

const folder = mkdtempSync(join(tmpdir(), 'petstore-silence-'));

afterAll(() => rmSync(folder, { recursive: true }));

async function isSilent({ name, base, head }: Edit): Promise<string[]> {
  const files = [join(folder, 'base.yaml'), join(folder, 'head.yaml')] as const;
  for (const [index, document] of [base, head].entries())
    writeFileSync(files[index] as string, stringify(document, { aliasDuplicateObjects: false }));
  try {
    const versions = [readVersion(files[0]), readVersion(files[1])] as const;
    const changes = diffContracts(...versions);
    return changes.length === 0 && unrated(...versions, changes).length === 0 ? [name] : [];
  } catch (error) {
    // What cannot be read does not pass.
    if (/\$ref|not an OpenAPI/.test(String(error))) return [];
    throw new Error(name, { cause: error });
  }
}

test.each(Object.keys(FIXTURES))('OpenAPI %s', { timeout: 1_800_000 }, async (version) => {
  const silent: string[] = [];
  let count = 0;
  for (const edit of edits(version)) {
    count += 1;
    // All of them take minutes.
    if (count % EVERY !== 0) continue;
    silent.push(...(await isSilent(edit)));
  }
  expect(count).toBeGreaterThan(500);
  expect(silent).toEqual([]);
});
