import { compareWhole, pair } from './parts.ts';
import type { Difference, Schemas } from './schema.ts';
import type { Shape } from './shape.ts';

export function compareArrays(schemas: Schemas, base: Shape, head: Shape): Difference[] {
  if (!base.types.union(head.types).has('array')) return [];
  // What comes after the tuple: `items`, or else what is left unevaluated.
  const rest = (shape: Shape) => shape.having(shape.has('items') ? 'items' : 'unevaluatedItems');
  const tuple = (shape: Shape) => shape.having('prefixItems')[0]?.items() ?? [];
  const [oldTuple, newTuple] = [tuple(base), tuple(head)];
  const [oldRest, newRest] = [rest(base), rest(head)];
  const length = Math.max(oldTuple.length, newTuple.length);
  const differences = Array.from({ length }, (_, index) => {
    const [old, now] = [oldTuple[index], newTuple[index]];
    if (old && now) return [pair([old], [now])];
    const [before, after] = [old ? [old] : oldRest, now ? [now] : newRest];
    return compareWhole(schemas, 'prefix-items', `Item ${index + 1}`, before, after, now ? 'added' : 'removed');
  });
  if (oldRest.length > 0 && newRest.length > 0) return [...differences.flat(), pair(oldRest, newRest)];
  const stem = (oldRest[0] ?? newRest[0])?.keys.at(-1) === 'items' ? 'items' : 'unevaluated-items';
  const subject = length > 0 ? 'Further items' : 'What the items may be';
  return [...differences.flat(), ...compareWhole(schemas, stem, subject, oldRest, newRest)];
}
