import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Animal, check, type History } from '../src/faults/history.ts';

/** What a service without a fault could have answered: each operation acts at one moment between its begin and its end. */
const honest: fc.Arbitrary<{ history: History; stored: Animal[] }> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('create', 'create', 'page', 'get'),
      outcome: fc.constantFrom('done', 'done', 'refused', 'unknown'),
      carriedOut: fc.boolean(),
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
    const stored: Animal[] = [];
    for (const [index, { kind, outcome, carriedOut, status, limit, target, before, after }] of steps.entries()) {
      // They act in the order of their moments, and overlap.
      const times = { begin: index - before, end: index + after };
      const asked = { name: `animal ${index}`, categoryId: index, ...(status && { status }) };
      if (kind === 'create') {
        const id = stored.length + 1;
        const acts = outcome === 'done' || (outcome === 'unknown' && carriedOut);
        if (acts) stored.push({ ...asked, id });
        history.creates.push({
          ...times,
          asked,
          outcome,
          ...(outcome === 'done' && { id }),
        } as History['creates'][number]);
      } else if (kind === 'page') {
        const from = target > 10 ? Number.NEGATIVE_INFINITY : target;
        const all = stored.filter((animal) => animal.id > from && (!status || animal.status === status));
        const page = {
          ...times,
          walk: String(index),
          after: from,
          animals: all.slice(0, limit),
          more: all.length > limit,
        };
        history.pages.push({ ...page, ...(status && { status }) });
      } else {
        const animal = stored.find(({ id }) => id === target);
        history.gets.push({ ...times, id: target, ...(animal && { animal }) });
      }
    }
    return { history, stored };
  });

test('a service without a fault is found without one', () => {
  fc.assert(
    fc.property(honest, ({ history, stored }) => {
      expect(check(history, stored)).toEqual({ losses: [], failures: [] });
    }),
    { numRuns: 1_000 },
  );
});

describe('what no service may do is found', () => {
  const dog: Animal = { id: 1, name: 'dog', categoryId: 7, status: 'available' };
  const cat: Animal = { id: 2, name: 'cat', categoryId: 7 };
  const asked = ({ id: _, ...content }: Animal) => content;
  const created = (animal: Animal, begin: number) => ({
    begin,
    end: begin + 1,
    asked: asked(animal),
    outcome: 'done' as const,
    id: animal.id,
  });
  const refused = (animal: Animal, begin: number) => ({
    begin,
    end: begin + 1,
    asked: asked(animal),
    outcome: 'refused' as const,
  });
  const page = (animals: Animal[], begin: number) => ({
    begin,
    end: begin + 1,
    walk: String(begin),
    after: 0,
    animals,
    more: false,
  });
  const none: History = { creates: [], pages: [], gets: [] };
  const both = { ...none, creates: [created(dog, 0), created(cat, 2)] };

  test.each<[string, History, Animal[], RegExp]>([
    ['a write that is lost', both, [dog], /cat was acknowledged as 2 and is not there/],
    [
      'a write that somebody saw, whoever asked for it was not told of, and is gone',
      { ...none, creates: [{ begin: 0, end: 1, asked: asked(cat), outcome: 'unknown' }], pages: [page([cat], 2)] },
      [],
      /cat was seen as 2 and is not there/,
    ],
    ['a write that is there under another id', both, [dog, { ...cat, id: 3 }], /cat was acknowledged as 2/],
    ['a write that is there twice', both, [dog, cat, { ...cat, id: 3 }], /cat is there 2 times/],
    ['a write that was refused, and is there', { ...none, creates: [refused(dog, 0)] }, [dog], /dog \(1\) was refused/],
    ['an animal that nobody asked for', none, [dog], /nobody asked for dog/],
    ['another content', both, [dog, { ...cat, categoryId: 8 }], /cat \(2\) is not what was asked for/],
    [
      'two animals with one id',
      { ...none, creates: [created(dog, 0), created({ ...cat, id: 1 }, 2)] },
      [dog],
      /cat has the id 1 of dog/,
    ],
    [
      'a page that misses what was acknowledged',
      { ...both, pages: [page([cat], 4)] },
      [dog, cat],
      /misses 1, known 3.0 ms/,
    ],
    [
      'a page that misses what another client saw, of a create that still runs',
      { ...none, creates: [{ ...created(dog, 0), end: 9 }], pages: [page([dog], 1), page([], 3)] },
      [dog],
      /misses 1, known 1.0 ms/,
    ],
    [
      'a page of one status that misses one',
      { ...both, pages: [{ ...page([], 4), status: 'available' }] },
      [dog, cat],
      /misses 1/,
    ],
    ['a page out of order', { ...both, pages: [page([cat, dog], 4)] }, [dog, cat], /1 after 2/],
    [
      'a page with what was before its cursor',
      { ...both, pages: [{ ...page([dog, cat], 4), after: 1 }] },
      [dog, cat],
      /not in order/,
    ],
    [
      'a walk that misses what came to light behind its cursor',
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
      'a get that finds nothing',
      { ...both, gets: [{ begin: 4, end: 5, id: 2 }] },
      [dog, cat],
      /does not find 2, known 1.0 ms/,
    ],
    [
      'a get that brings another one',
      { ...both, gets: [{ begin: 4, end: 5, id: 1, animal: cat }] },
      [dog, cat],
      /a get of 1 brings cat \(2\)/,
    ],
    [
      'a get of what is asked for later',
      { ...both, gets: [{ begin: 0, end: 1, id: 2, animal: cat }] },
      [dog, cat],
      /cat \(2\) was not asked for yet/,
    ],
  ])('%s', (_what, history, stored, finding) => {
    const { losses, failures } = check(history, stored);
    expect([...losses, ...failures].join('\n')).toMatch(finding);
  });
});
