import type { Finding } from '../finding.ts';
import { compareLimited, type Schemas } from './parts.ts';
import { having, type Shape, typesOf } from './shape.ts';

export function compareArrays(schemas: Schemas, base: Shape, head: Shape): Finding[] {
  if (!typesOf(base).union(typesOf(head)).has('array')) return [];
  // What comes after the tuple: `items`, or else what is left unevaluated.
  const rest = (shape: Shape) =>
    having(shape, 'items').length > 0 ? having(shape, 'items') : having(shape, 'unevaluatedItems');
  const tuple = (shape: Shape) => having(shape, 'prefixItems')[0]?.items() ?? [];
  const [oldTuple, newTuple] = [tuple(base), tuple(head)];
  const findings: Finding[] = [];
  for (let index = 0; index < Math.max(oldTuple.length, newTuple.length); index++) {
    const [old, now] = [oldTuple[index], newTuple[index]];
    const [before, after] = [old ? [old] : rest(base), now ? [now] : rest(head)];
    if (old && now) findings.push(...schemas.compare(before, after));
    else
      findings.push(...compareLimited(schemas, 'prefix-items', `Item ${index + 1}`, before, after, now === undefined));
  }
  const [oldItems, newItems] = [rest(base), rest(head)];
  if (oldItems.length > 0 && newItems.length > 0) return [...findings, ...schemas.compare(oldItems, newItems)];
  const isTuple = oldTuple.length + newTuple.length > 0;
  const stem = (oldItems[0] ?? newItems[0])?.keys.at(-1) === 'items' ? 'items' : 'unevaluated-items';
  const subject = isTuple ? 'Further items' : 'What the items may be';
  return [...findings, ...compareLimited(schemas, stem, subject, oldItems, newItems)];
}
