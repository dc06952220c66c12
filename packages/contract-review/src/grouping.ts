import { stringify } from 'safe-stable-stringify';
import type { Change } from './compare.ts';
import { idOf } from './version.ts';
import { counted, groupBy } from './words.ts';

/** A row of the report. `also` is its text about the rows that follow from it. */
export type Row = Change & { also?: string };

/** Groups changes under those that they follow from, so that a report has a row for each decision. */
export function grouped(changes: readonly Change[]): Row[] {
  const types = firstToReach(changes.filter(({ rule }) => rule === 'operation-removed'));
  const rewritten = changes.filter(({ rule, impact }) => impact === 'major' && /-(property|parameter)-/.test(rule));
  const byCause = groupBy(changes, ({ rule, place, operations }) => {
    if (rule === 'component-schema-removed' && operations.length === 0) return types.get(idOf(place));
    const isWithin = (cause: Change) =>
      operations.every(({ name }) => cause.operations.some((one) => one.name === name));
    return /^examples?-changed/.test(rule) ? rewritten.find(isWithin) : undefined;
  });
  return (byCause.get(undefined) ?? []).map((change) => {
    const kinds = groupBy(byCause.get(change) ?? [], ({ rule }) => (rule.startsWith('ex') ? 'examples' : 'types'));
    const texts = [...kinds].map(([kind, all]) => counted(all.length, kind));
    return texts.length > 0 ? { ...change, also: ` Changed with it: ${texts.join(', ')}.` } : change;
  });
}

/** The changes by the ids of all places to which the references below their own place lead. The first change counts. */
function firstToReach(changes: readonly Change[]): Map<string, Change> {
  const first = new Map<string, Change>();
  for (const change of changes) {
    const places = [change.place];
    for (const { value, source, file } of places)
      for (const [, ref = ''] of `${stringify(value)}`.matchAll(/"\$ref":"(#[^"]+)"/g)) {
        const target = source.find(file, ref);
        if (first.has(idOf(target))) continue;
        first.set(idOf(target), change);
        places.push(target);
      }
  }
  return first;
}
