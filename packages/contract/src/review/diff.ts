import path from 'node:path';
import type { Document, Schema } from '../contract.ts';
import { compareBumps } from './bump.ts';
import { type Change, Comparison } from './compare.ts';
import { type Finding, finding } from './finding.ts';
import { normalize } from './normalize.ts';
import { residueOf } from './residue.ts';
import { Source } from './source.ts';

/** A version of the contract, and its bundle, whose schema names are the SDK's type names. */
export interface Version {
  source: Source;
  bundle: Document;
}

/**
 * Reads a contract as written and bundled. A document in one file is its own bundle.
 *
 * @param platform - the file that completes it. Undefined for a contract that is read as it is
 */
export async function readVersion(file: string, platform?: string): Promise<Version> {
  const source = new Source(path.resolve(file), platform);
  // Reports invalid YAML with its line, before Redocly does.
  const { value } = source.root;
  if (!/^3\./.test(value?.openapi)) throw new Error(`${path.relative('', file)}:1:1 is not an OpenAPI 3 document`);
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part));
  normalize(source);
  if (!/"\$ref":"(?!#)/.test(text)) return { source, bundle: JSON.parse(text) };
  // Imported on demand: Redocly starts slowly, and most contracts are one file.
  const { bundleFile } = await import('../redocly.ts');
  return { source, bundle: await bundleFile(source.file, platform) };
}

/** All changes between two contracts: by impact, then by the number of affected operations. */
export function diffContracts(base: Version, head: Version): Change[] {
  const gone = goneComponents(base, head);
  const { changes } = new Comparison(base.source.root, head.source.root, gone);
  changes.add(gone.values());
  return changes.all().sort((a, b) => compareBumps(b.impact, a.impact) || b.operations.length - a.operations.length);
}

/** The parts of two contracts that differ without a change: each means the same, or a comparator is wrong. */
export const unrated = (base: Version, head: Version, changes: readonly Change[]) =>
  residueOf(
    base.source,
    head.source,
    changes.map(({ place }) => place),
  );

const at = ({ source }: Version, name: string) => source.root.at('components', 'schemas', name);

/**
 * The component schemas that head no longer has. The SDK exports each as a type, so a removal breaks imports even if
 * nothing changed on the wire.
 *
 * @returns findings by the id of the schema's place in base
 */
function goneComponents(base: Version, head: Version): Map<string, Finding> {
  const gone = [...namesOf(base).difference(namesOf(head))].map((name) => {
    const message = `The schema \`${name}\` was removed, and the SDK's type with it.`;
    return finding('component-schema-removed', 'gone', at(base, name), message);
  });
  return new Map(gone.map((one) => [one.place.id, one]));
}

/**
 * The names of the component schemas in the source. Bundling adds the name of a component's own file; that one is left
 * out if a component of the source refers to it.
 */
function namesOf({ source, bundle }: Version): Set<string> {
  const schemas: Record<string, Schema> = bundle.components?.schemas ?? {};
  const targets = new Set(Object.values(schemas).map((schema) => schema?.$ref));
  const isAliased = (name: string) => targets.has(`#/components/schemas/${name}`);
  return new Set(Object.keys(schemas).filter((name) => at({ source, bundle }, name).exists || !isAliased(name)));
}
