/** Invalid contracts: the lint reports their errors; the comparison must not crash. */
import { expect, test } from 'vitest';
import { diffContracts } from '../src/compare.ts';
import { checkDeprecations } from '../src/policy.ts';
import { Version } from '../src/version.ts';
import { CASES, documentOf } from './corpus.ts';
import { Folder } from './folder.ts';

const folder = new Folder();

const ODD = [null, 0, '', 'x', true, false, [], [null], {}, { $ref: '#/components/schemas/Order' }];

/** The paths of all nodes below the first level of a document. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.entries(value);
  const here = path.length > 0 ? keys.map(([key]) => [...path, key]) : [];
  return [...here, ...keys.flatMap(([key, child]) => pathsIn(child, [...path, key]))];
}

test('any contract is compared, or its unresolved reference reported', async () => {
  const now = new Date('2026-11-21T12:00:00Z');
  for (const [index, one] of CASES.filter(({ files }) => files.size === 2).entries()) {
    const documents = [documentOf(one, 'base'), documentOf(one, 'head')];
    const broken = documents[index % 2];
    const paths = pathsIn(broken);
    // The factor spreads the places over the documents.
    const path = paths[(index * 7919) % paths.length] ?? [];
    const owner = path.slice(0, -1).reduce((value, key) => value[key], broken);
    owner[path.at(-1) as string] = ODD[Math.floor(index / 2) % ODD.length];
    const [base, head] = [folder.write('base.json', documents[0]), folder.write('head.json', documents[1])];
    try {
      const versions = [new Version(base), new Version(head)] as const;
      diffContracts(...versions);
      diffContracts(versions[1], versions[0]);
      expect(diffContracts(versions[1], versions[1]), `${one.name} at ${path.join('/')}`).toEqual([]);
      checkDeprecations(...versions, now);
    } catch (error) {
      if (!/\$ref/.test(String(error))) throw new Error(`${one.name} at ${path.join('/')}`, { cause: error });
    }
  }
});
