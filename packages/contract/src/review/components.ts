import type { Document } from '../contract.ts';
import type { Change } from './compare.ts';
import { impactOf } from './finding.ts';
import { SchemaComparison } from './schema/schema.ts';
import type { Source } from './source.ts';

/**
 * The component schemas: the SDK exports each as a type, so that one which is gone breaks those who import it, though
 * nothing may have changed on the wire. A new one is no change by itself: what it makes possible is told by the
 * operations that use it.
 *
 * @param own - what is known already. A schema that operations use is told there.
 */
export function compareComponents(
  base: Source,
  head: Source,
  baseBundle: Document,
  headBundle: Document,
  own: readonly Change[],
): Change[] {
  const at = (source: Source, name: string) => source.root.at('components', 'schemas', name);
  const namesOf = (source: Source, bundle: Document) =>
    Object.keys(bundle.components?.schemas ?? {}).filter((name) => at(source, name).exists || !isAliased(bundle, name));
  const removed = namesOf(base, baseBundle).filter((name) => !namesOf(head, headBundle).includes(name));
  const added = new Set(namesOf(head, headBundle).filter((name) => !namesOf(base, baseBundle).includes(name)));
  const comparison = new SchemaComparison('response');
  const changes: Change[] = [];
  for (const name of removed) {
    const old = at(base, name);
    const shape = (bundle: Document, schema: string) => JSON.stringify(bundle.components.schemas[schema]);
    const same = [...added].find(
      (other) =>
        shape(baseBundle, name) === shape(headBundle, other) ||
        (old.exists && at(head, other).exists && comparison.compare([old], [at(head, other)]).length === 0),
    );
    if (same) added.delete(same);
    changes.push({
      impact: 'major',
      rule: same ? 'component-schema-renamed' : 'component-schema-removed',
      operations: [],
      place: same ? at(head, same) : old,
      message: same
        ? `The schema \`${name}\` is now called \`${same}\`: the SDK's type has another name.`
        : `The schema \`${name}\` was removed, and the SDK's type with it.`,
    });
  }
  const used = namesIn(headBundle).union(namesIn(baseBundle));
  for (const name of namesOf(head, headBundle)) {
    if (used.has(name) || added.has(name) || !at(base, name).exists) continue;
    for (const { effect, rule, place, message } of comparison.compare([at(base, name)], [at(head, name)])) {
      if (own.some((change) => change.place.id === place.id)) continue;
      changes.push({
        impact: impactOf(effect, 'response'),
        rule: `component-schema-${rule}`,
        operations: [],
        place,
        message,
      });
    }
  }
  return changes;
}

/**
 * Whether a schema is one that a component is nothing but a reference to. That is how a component in a file of its own
 * is bundled, under the file's name: people know it by the component's.
 */
function isAliased(bundle: Document, name: string): boolean {
  const reference = `#/components/schemas/${name}`;
  return Object.values<Document>(bundle.components.schemas).some((schema) => schema?.$ref === reference);
}

/** The component schemas that operations and webhooks lead to. */
function namesIn({ paths, webhooks, components }: Document): Set<string> {
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && !seen.has(reference)) {
      seen.add(reference);
      const [, , kind = '', name = ''] = reference.split('/');
      visit(components?.[kind]?.[name]);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit([paths, webhooks]);
  return new Set([...seen].map((reference) => reference.split('/').at(-1) ?? ''));
}
