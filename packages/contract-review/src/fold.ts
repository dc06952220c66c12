import type { Change } from './compare.ts';
import { counted } from './words.ts';

/** A row of the report. `also` is its text about the rows that follow from it. */
export type Row = Change & { also?: string };

/** Folds changes under those that they follow from, so that a report has a row for each decision. */
export function folded(changes: readonly Change[]): Row[] {
  const removed = changes.filter(({ rule }) => rule === 'operation-removed');
  const rewritten = changes.filter(({ rule, impact }) => impact === 'major' && /-(property|parameter)-/.test(rule));
  const examples = changes.filter(({ rule }) => /^examples?-changed/.test(rule));
  const types = changes.filter(
    ({ rule, operations }) => rule === 'component-schema-removed' && operations.length === 0,
  );
  const under = new Map<Change, Map<string, number>>();
  const hidden = new Set<Change>();
  const fold = (change: Change, cause: Change | undefined, what: string) => {
    if (cause === undefined) return;
    hidden.add(change);
    const counts = under.get(cause) ?? new Map<string, number>();
    under.set(cause, counts.set(what, (counts.get(what) ?? 0) + 1));
  };
  if (types.length > 0) {
    const causes = firstToReach(removed);
    for (const change of types) fold(change, causes.get(change.place.id), 'types');
  }
  for (const change of examples)
    fold(
      change,
      rewritten.find((cause) => change.operations.every(({ name }) => namesOf(cause).includes(name))),
      'examples',
    );
  const textOf = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([what, count]) => counted(count, what)).join(', ');
  return changes
    .filter((change) => !hidden.has(change))
    .map((change) => {
      const counts = under.get(change);
      return counts ? { ...change, also: ` Changed with it: ${textOf(counts)}.` } : change;
    });
}

const namesOf = ({ operations }: Change) => operations.map(({ name }) => name);

/** The changes by the ids of all places that their own place contains or refers to. The first change of a place counts. */
function firstToReach(changes: readonly Change[]): Map<string, Change> {
  const first = new Map<string, Change>();
  for (const change of changes) {
    const todo = [change.place];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (typeof next.value?.$ref === 'string') next = next.target();
      if (first.has(next.id)) continue;
      first.set(next.id, change);
      todo.push(...next.items(), ...next.entries().map(([, child]) => child));
    }
  }
  return first;
}
