import type { Pet } from '@petstore/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, type History } from '../src/faults/history.ts';

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
      const newPet = { name: `pet ${index}`, categoryId: index, ...(status && { status }) };
      if (kind === 'create') {
        const id = stored.length + 1;
        const acts = outcome === 'done' || (outcome === 'unknown' && applied);
        if (acts) stored.push({ ...newPet, id });
        const create = { ...times, newPet, outcome, ...(outcome === 'done' && { id }) };
        history.creates.push(create as History['creates'][number]);
      } else if (kind === 'page') {
        const from = target > 10 ? Number.NEGATIVE_INFINITY : target;
        const all = stored.filter((pet) => pet.id > from && (!status || pet.status === status));
        const page = { ...times, walk: String(index), after: from, pets: all.slice(0, limit) };
        history.pages.push({ ...page, more: all.length > limit, ...(status && { status }) });
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
  const newPet = ({ id: _, ...content }: Pet) => content;
  const from = (begin: number) => ({ begin, end: begin + 1 });
  const asking = <Outcome>(pet: Pet, outcome: Outcome) => ({ ...from(0), newPet: newPet(pet), outcome });
  const created = (pet: Pet, begin: number) => ({ ...asking(pet, 'done' as const), ...from(begin), id: pet.id });
  const page = (pets: Pet[], begin: number) => ({ ...from(begin), walk: String(begin), after: 0, pets, more: false });
  const none: History = { creates: [], pages: [], gets: [] };
  const both = { ...none, creates: [created(dog, 0), created(cat, 2)] };
  const withPage = (page: History['pages'][number]) => ({ ...both, pages: [page] });
  const withGet = (get: History['gets'][number]) => ({ ...both, gets: [get] });

  test.each<[string, History, Pet[], RegExp]>([
    ['a lost write', both, [dog], /cat was acknowledged as 2 but is not stored/],
    [
      'a lost write that was read, though never acknowledged',
      { ...none, creates: [asking(cat, 'unknown')], pages: [page([cat], 2)] },
      [],
      /cat was read as 2 but is not stored/,
    ],
    ['a write with another id', both, [dog, { ...cat, id: 3 }], /cat was acknowledged as 2/],
    ['a duplicate write', both, [dog, cat, { ...cat, id: 3 }], /cat is stored 2 times/],
    ['a refused write that is stored', { ...none, creates: [asking(dog, 'refused')] }, [dog], /dog \(1\) was refused/],
    ['a pet that nobody created', none, [dog], /no create for dog/],
    ['changed content', both, [dog, { ...cat, categoryId: 8 }], /cat \(2\) differs from its create/],
    [
      'two pets with the same id',
      { ...none, creates: [created(dog, 0), created({ ...cat, id: 1 }, 2)] },
      [dog],
      /cat has the id 1 of dog/,
    ],
    ['a page that misses an acknowledged pet', withPage(page([cat], 4)), [dog, cat], /misses 1, known 3.0 ms/],
    [
      'a page that misses a pet that another client read, while its create is running',
      { ...none, creates: [{ ...created(dog, 0), end: 9 }], pages: [page([dog], 1), page([], 3)] },
      [dog],
      /misses 1, known 1.0 ms/,
    ],
    ['a filtered page that misses a pet', withPage({ ...page([], 4), status: 'available' }), [dog, cat], /misses 1/],
    ['a page out of order', withPage(page([cat, dog], 4)), [dog, cat], /1 after 2/],
    ['a page with a pet before its cursor', withPage({ ...page([dog, cat], 4), after: 1 }), [dog, cat], /not in order/],
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
      'a get that finds no acknowledged pet',
      withGet({ ...from(4), id: 2 }),
      [dog, cat],
      /does not find 2, known 1.0 ms/,
    ],
    ['a get of another pet', withGet({ ...from(4), id: 1, pet: cat }), [dog, cat], /a get of 1 returns cat \(2\)/],
    [
      'a get before the create',
      withGet({ ...from(0), id: 2, pet: cat }),
      [dog, cat],
      /cat \(2\) was read before its create/,
    ],
  ])('%s', (_what, history, stored, finding) => {
    const { losses, failures } = check(history, stored);
    expect([...losses, ...failures].join('\n')).toMatch(finding);
  });
});
