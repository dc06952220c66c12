import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, type History, type Pet } from '../src/faults/history.ts';

/** Histories of a correct service: each operation takes effect at one moment between its begin and its end. */
const honest: fc.Arbitrary<{ history: History; stored: Pet[] }> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('create', 'create', 'page', 'get'),
      outcome: fc.constantFrom('done', 'done', 'refused', 'unknown'),
      applied: fc.boolean(),
      status: fc.constantFrom('available', 'sold', undefined),
      limit: fc.integer({ min: 1, max: 4 }),
      target: fc.nat(20),
      before: fc.double({ min: 0.1, max: 3, noNaN: true }),
      after: fc.double({ min: 0.1, max: 3, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((steps) => {
    const history: History = { creates: [], pages: [], gets: [] };
    const stored: Pet[] = [];
    for (const [index, { kind, outcome, applied, status, limit, target, before, after }] of steps.entries()) {
      // Operations overlap, and take effect in order of index.
      const times = { begin: index - before, end: index + after };
      const asked = { name: `pet ${index}`, categoryId: index, ...(status && { status }) };
      if (kind === 'create') {
        const id = stored.length + 1;
        const acts = outcome === 'done' || (outcome === 'unknown' && applied);
        if (acts) stored.push({ ...asked, id });
        history.creates.push({
          ...times,
          asked,
          outcome,
          ...(outcome === 'done' && { id }),
        } as History['creates'][number]);
      } else if (kind === 'page') {
        const from = target > 10 ? Number.NEGATIVE_INFINITY : target;
        const all = stored.filter((pet) => pet.id > from && (!status || pet.status === status));
        const page = {
          ...times,
          walk: String(index),
          after: from,
          pets: all.slice(0, limit),
          more: all.length > limit,
        };
        history.pages.push({ ...page, ...(status && { status }) });
      } else {
        const pet = stored.find(({ id }) => id === target);
        history.gets.push({ ...times, id: target, ...(pet && { pet }) });
      }
    }
    return { history, stored };
  });

test('the history of a correct service has no losses and no failures', () => {
  fc.assert(
    fc.property(honest, ({ history, stored }) => {
      expect(check(history, stored)).toEqual({ losses: [], failures: [] });
    }),
    { numRuns: 1_000 },
  );
});

describe('finds', () => {
  const dog: Pet = { id: 1, name: 'dog', categoryId: 7, status: 'available' };
  const cat: Pet = { id: 2, name: 'cat', categoryId: 7 };
  const asked = ({ id: _, ...content }: Pet) => content;
  const created = (pet: Pet, begin: number) => ({
    begin,
    end: begin + 1,
    asked: asked(pet),
    outcome: 'done' as const,
    id: pet.id,
  });
  const refused = (pet: Pet, begin: number) => ({
    begin,
    end: begin + 1,
    asked: asked(pet),
    outcome: 'refused' as const,
  });
  const page = (pets: Pet[], begin: number) => ({
    begin,
    end: begin + 1,
    walk: String(begin),
    after: 0,
    pets,
    more: false,
  });
  const none: History = { creates: [], pages: [], gets: [] };
  const both = { ...none, creates: [created(dog, 0), created(cat, 2)] };

  test.each<[string, History, Pet[], RegExp]>([
    ['a lost write', both, [dog], /cat was acknowledged as 2 but is not stored/],
    [
      'a lost write that was read, though never acknowledged',
      { ...none, creates: [{ begin: 0, end: 1, asked: asked(cat), outcome: 'unknown' }], pages: [page([cat], 2)] },
      [],
      /cat was read as 2 but is not stored/,
    ],
    ['a write with another id', both, [dog, { ...cat, id: 3 }], /cat was acknowledged as 2/],
    ['a duplicate write', both, [dog, cat, { ...cat, id: 3 }], /cat is stored 2 times/],
    ['a refused write that is stored', { ...none, creates: [refused(dog, 0)] }, [dog], /dog \(1\) was refused/],
    ['a pet that nobody created', none, [dog], /no create for dog/],
    ['changed content', both, [dog, { ...cat, categoryId: 8 }], /cat \(2\) differs from its create/],
    [
      'two pets with the same id',
      { ...none, creates: [created(dog, 0), created({ ...cat, id: 1 }, 2)] },
      [dog],
      /cat has the id 1 of dog/,
    ],
    [
      'a page that misses an acknowledged pet',
      { ...both, pages: [page([cat], 4)] },
      [dog, cat],
      /misses 1, known 3.0 ms/,
    ],
    [
      'a page that misses a pet that another client read, while its create is running',
      { ...none, creates: [{ ...created(dog, 0), end: 9 }], pages: [page([dog], 1), page([], 3)] },
      [dog],
      /misses 1, known 1.0 ms/,
    ],
    [
      'a filtered page that misses a pet',
      { ...both, pages: [{ ...page([], 4), status: 'available' }] },
      [dog, cat],
      /misses 1/,
    ],
    ['a page out of order', { ...both, pages: [page([cat, dog], 4)] }, [dog, cat], /1 after 2/],
    [
      'a page with a pet before its cursor',
      { ...both, pages: [{ ...page([dog, cat], 4), after: 1 }] },
      [dog, cat],
      /not in order/,
    ],
    [
      'a walk that misses a pet that appeared behind its cursor',
      {
        ...both,
        pages: [
          { ...page([cat], -1), walk: 'a', more: true },
          { ...page([], 4), walk: 'a', after: 2 },
        ],
      },
      [dog, cat],
      /a walk misses 1, known 3.0 ms/,
    ],
    [
      'a get that does not find an acknowledged pet',
      { ...both, gets: [{ begin: 4, end: 5, id: 2 }] },
      [dog, cat],
      /does not find 2, known 1.0 ms/,
    ],
    [
      'a get that returns another pet',
      { ...both, gets: [{ begin: 4, end: 5, id: 1, pet: cat }] },
      [dog, cat],
      /a get of 1 returns cat \(2\)/,
    ],
    [
      'a get of a pet before its create',
      { ...both, gets: [{ begin: 0, end: 1, id: 2, pet: cat }] },
      [dog, cat],
      /cat \(2\) was read before its create/,
    ],
  ])('%s', (_what, history, stored, finding) => {
    const { losses, failures } = check(history, stored);
    expect([...losses, ...failures].join('\n')).toMatch(finding);
  });
});
