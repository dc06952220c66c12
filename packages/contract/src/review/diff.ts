import path from 'node:path';
import type { Document } from '../contract.ts';
import type { Change } from './changes.ts';
import { Comparison } from './compare.ts';
import { compareBumps, type Finding, finding } from './finding.ts';
import { SchemaComparison } from './schema/schema.ts';
import { canonical } from './schema/shape.ts';
import { Source } from './source.ts';

/** A version of the contract, and its bundle: the names in that are those that the SDK exports types by. */
export interface Version {
  source: Source;
  bundle: Document;
}

/** A contract as it was written, and in one piece. A document that is one file already is its own bundle. */
export async function readVersion(file: string): Promise<Version> {
  const source = new Source(path.resolve(file));
  // A file that is not YAML fails with its line, whoever else would have stumbled over it.
  source.open(source.file);
  if (!source.isSplit) return { source, bundle: source.root.value };
  // Redocly takes long to start, and most contracts are one file.
  const { bundleFile } = await import('../redocly.ts');
  return { source, bundle: await bundleFile(source.file) };
}

/** All changes between two contracts, the worst first: those that break clients, and of these the ones that break most. */
export function diffContracts(base: Version, head: Version): Change[] {
  const gone = goneComponents(base, head);
  const { changes } = new Comparison(base.source.root, head.source.root, gone);
  for (const one of gone.values()) changes.add(one);
  return changes.all().sort((a, b) => compareBumps(b.impact, a.impact) || b.operations.length - a.operations.length);
}

const at = ({ source }: Version, name: string) => source.root.at('components', 'schemas', name);

/**
 * The component schemas that head no longer has. The SDK exports each as a type, so that one which is gone breaks those
 * who import it, though nothing may have changed on the wire.
 *
 * @returns what to tell of each, by the id of its place in base
 */
function goneComponents(base: Version, head: Version): Map<string, Finding> {
  const [before, after] = [namesOf(base), namesOf(head)];
  const shapeOf = ({ bundle }: Version, name: string) => canonical(bundle.components.schemas[name]);
  const added = new Map([...after.difference(before)].map((name) => [name, shapeOf(head, name)]));
  const comparison = new SchemaComparison('response');
  return new Map(
    [...before.difference(after)].map((name) => {
      const [old, shape] = [at(base, name), shapeOf(base, name)];
      const isIt = (other: string) => {
        const now = at(head, other);
        return shape === added.get(other) || (old.exists && now.exists && comparison.isSame([old], [now]));
      };
      const same = [...added.keys()].find(isIt);
      if (same) added.delete(same);
      const message = same
        ? `The schema \`${name}\` is now called \`${same}\`: the SDK's type has another name.`
        : `The schema \`${name}\` was removed, and the SDK's type with it.`;
      const rule = `component-schema-${same ? 'renamed' : 'removed'}`;
      return [old.id, finding(rule, 'gone', same ? at(head, same) : old, message)];
    }),
  );
}

/**
 * The component schemas as people know them. One that is nothing but a reference to another is how a component in a file
 * of its own is bundled, under the file's name: people know it by the component's.
 */
function namesOf({ source, bundle }: Version): Set<string> {
  const schemas: Record<string, Document> = bundle.components?.schemas ?? {};
  const targets = new Set(Object.values(schemas).map((schema) => schema?.$ref));
  const isAliased = (name: string) => targets.has(`#/components/schemas/${name}`);
  return new Set(Object.keys(schemas).filter((name) => at({ source, bundle }, name).exists || !isAliased(name)));
}
