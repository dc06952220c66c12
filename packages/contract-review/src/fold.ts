import type { Change } from './compare.ts';
import { idOf } from './version.ts';
import { counted, groupBy } from './words.ts';

/** A row of the report. `also` is its text about the rows that follow from it. */
export type Row = Change & { also?: string };

/** Folds changes under those that they follow from, so that a report has a row for each decision. */
export function folded(changes: readonly Change[]): Row[] {
  const removed = changes.filter(({ rule }) => rule === 'operation-removed');
  const rewritten = changes.filter(({ rule, impact }) => impact === 'major' && /-(property|parameter)-/.test(rule));
  const isType = ({ rule, operations }: Change) => rule === 'component-schema-removed' && operations.length === 0;
  const reached = changes.some(isType) ? firstToReach(removed) : new Map<string, Change>();
  const followers = changes.flatMap((change): { change: Change; cause: Change | undefined; what: string }[] => {
    if (isType(change)) return [{ change, cause: reached.get(idOf(change.place)), what: 'types' }];
    const isWithin = (cause: Change) => change.operations.every(({ name }) => namesOf(cause).includes(name));
    const isExample = /^examples?-changed/.test(change.rule);
    return isExample ? [{ change, cause: rewritten.find(isWithin), what: 'examples' }] : [];
  });
  const folded = followers.filter(({ cause }) => cause);
  const hidden = new Set(folded.map(({ change }) => change));
  const byCause = groupBy(folded, ({ cause }) => cause);
  return changes
    .filter((change) => !hidden.has(change))
    .map((change) => {
      const counts = [...groupBy(byCause.get(change) ?? [], ({ what }) => what)];
      const texts = counts.map(([what, all]) => counted(all.length, what));
      return texts.length > 0 ? { ...change, also: ` Changed with it: ${texts.join(', ')}.` } : change;
    });
}

const namesOf = ({ operations }: Change) => operations.map(({ name }) => name);

/** The changes by the ids of all places that their own place contains or refers to. The first change of a place counts. */
function firstToReach(changes: readonly Change[]): Map<string, Change> {
  const [first, seen] = [new Map<string, Change>(), new Set<string>()];
  for (const change of changes) {
    const todo = [change.place];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (typeof next.value?.$ref === 'string') next = next.target();
      if (seen.has(next.id)) continue;
      seen.add(next.id);
      if (!first.has(idOf(next))) first.set(idOf(next), change);
      todo.push(...next.items(), ...next.entries().map(([, child]) => child));
    }
  }
  return first;
}
