import path from 'node:path';
import { compareBumps } from './bump.ts';
import { type Change, Comparison } from './compare.ts';
import { type Finding, finding } from './finding.ts';
import { normalize } from './normalize.ts';
import type { Place } from './place.ts';
import { residueOf } from './residue.ts';
import { Source } from './source.ts';
import { code } from './words.ts';

/** A version of a contract. */
export interface Version {
  source: Source;
  /** The component schemas, also those in files of their own, by name: of generated SDKs, these are the types. */
  schemas: ReadonlyMap<string, Place>;
}

/** Reads a contract as written, and normalizes it. */
export function readVersion(file: string, options?: ConstructorParameters<typeof Source>[1]): Version {
  const source = new Source(path.resolve(file), options);
  const { value } = source.root;
  if (!/^3\./.test(value?.openapi)) throw new Error(`${source.nameOf(source.file)}:1:1 is not an OpenAPI 3 document`);
  return { source, schemas: schemasIn(source, normalize(source)) };
}

/**
 * The component schemas, and the schemas that a bundler makes such: by the name of the file or of the part that a reference leads
 * to, unless a component is that reference.
 *
 * @param others - the schemas of other files that references lead to
 */
function schemasIn({ root }: Source, others: ReadonlyMap<string, Place>): Map<string, Place> {
  const own = root.at('components', 'schemas').byKey();
  const targets = new Set([...own.values()].map((place) => place.follow().id));
  const named = [...others.values()].filter(({ id }) => !targets.has(id));
  return new Map([...named.map((place) => [nameOf(place), place] as const), ...own]);
}

const nameOf = ({ file, keys }: Place) => String(keys.at(-1) ?? path.parse(file).name);

/** All changes between two contracts: by impact, then by the number of affected operations. */
export function diffContracts(base: Version, head: Version): Change[] {
  const gone = goneSchemas(base, head);
  const { changes } = new Comparison(base.source.root, head.source.root, gone);
  changes.add(gone.values());
  return changes.all().sort((a, b) => compareBumps(b.impact, a.impact) || b.operations.length - a.operations.length);
}

/** The parts of two contracts that differ without a change: each means the same, or a comparator is wrong. */
export const unrated = (base: Version, head: Version, changes: readonly Change[]) =>
  residueOf(
    base.source,
    head.source,
    changes.flatMap(({ place, covers = [] }) => [place, ...covers]),
  );

/**
 * The component schemas that head no longer has. An SDK exports each as a type, so a removal breaks imports even if nothing
 * changed on the wire.
 *
 * @returns findings by the id of the schema's place in base
 */
function goneSchemas({ schemas }: Version, head: Version): Map<string, Finding> {
  const gone = [...schemas].filter(([name]) => !head.schemas.has(name));
  return new Map(
    gone.map(([name, place]) => {
      const message = `The schema ${code(name)} was removed, and the SDK's type with it.`;
      return [place.id, finding('component-schema-removed', 'gone', place, message)];
    }),
  );
}
