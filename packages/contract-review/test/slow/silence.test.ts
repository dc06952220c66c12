/** No change passes silently: edits each field of each object of OpenAPI, and expects a finding. */
import { expect, test } from 'vitest';
import { diffContracts } from '../../src/compare.ts';
import { unclassified } from '../../src/unclassified.ts';
import { Version } from '../../src/version.ts';
import { Folder } from '../folder.ts';
import { type Edit, edits, FIXTURES } from '../silence.ts';

const folder = new Folder();

function isSilent({ name, head }: Edit, base: Version): boolean {
  try {
    const version = new Version(folder.write('head.json', head()));
    const changes = diffContracts(base, version);
    return changes.length === 0 && unclassified(base, version, changes).length === 0;
  } catch (error) {
    // A document that cannot be read is refused, so it is not silent.
    if (/\$ref|Begin the document/.test(String(error))) return false;
    throw new Error(name, { cause: error });
  }
}

test.each(['3.0', '3.2'])('OpenAPI %s', { timeout: 1_800_000 }, (version) => {
  const base = new Version(folder.write('base.json', FIXTURES[version]));
  // Each edit is tried at one of its places, the next edit at the next one. PLACES=all tries all, which takes minutes.
  const places = new Map<string, Edit[]>();
  for (const edit of edits(version)) places.set(edit.change, [...(places.get(edit.change) ?? []), edit]);
  const isAll = process.env.PLACES === 'all';
  const tried = [...places.values()].flatMap((all, index) => (isAll ? all : (all[index % all.length] ?? [])));
  const silent = tried.filter((edit) => isSilent(edit, base));
  expect(tried.length).toBeGreaterThan(400);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
