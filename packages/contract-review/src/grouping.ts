import { stringify } from 'safe-stable-stringify';
import type { Change } from './compare.ts';
import { idOf } from './version.ts';
import { counted } from './words.ts';

/** A row of the report. `also` is its text about the rows that follow from it. */
export type Row = Change & { also?: string };

/** Groups removed types under the removed operations that used them, so that a report has a row for each decision. */
export function grouped(changes: readonly Change[]): Row[] {
  const causes = firstToReach(changes.filter(({ rule }) => rule === 'operation-removed'));
  const byCause = Map.groupBy(changes, ({ rule, place, operations }) =>
    rule === 'component-schema-removed' && operations.length === 0 ? causes.get(idOf(place)) : undefined,
  );
  return (byCause.get(undefined) ?? []).map((change) => {
    const types = byCause.get(change)?.length;
    return types ? { ...change, also: ` Changed with it: ${counted(types, 'types')}.` } : change;
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
