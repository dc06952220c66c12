import type { Document } from '../contract.ts';
import { type Finding, finding } from './finding.ts';
import { SchemaComparison } from './schema/schema.ts';
import { canonical } from './schema/shape.ts';
import type { Source } from './source.ts';

/** A version of the contract, and its bundle: the names in that are those that the SDK exports types by. */
export interface Version {
  source: Source;
  bundle: Document;
}

const at = ({ source }: Version, name: string) => source.root.at('components', 'schemas', name);

/**
 * The component schemas that head no longer has. The SDK exports each as a type, so that one which is gone breaks those
 * who import it, though nothing may have changed on the wire.
 *
 * @returns what to tell of each, by the id of its place in base
 */
export function goneComponents(base: Version, head: Version): Map<string, Finding> {
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
