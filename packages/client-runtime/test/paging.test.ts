import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientOf, failureOf, fixtureClientOf, rejectionOf, settled } from './helpers.ts';
import { book, errorResponse } from './responses.ts';

const books = Array.from({ length: 5 }, (_, index) => ({ ...book, id: index + 1 }));

/** Responds like the service: `limit` books from `cursor` on, and a link to the next page. */
function page(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const start = Number(searchParams.get('cursor') ?? 0);
  const end = start + Number(searchParams.get('limit') ?? 20);
  const link = `</v1/books?limit=1&cursor=${end}>; rel="next"`;
  return Response.json(books.slice(start, end), { headers: end < books.length ? { Link: link } : {} });
}

async function all<T>(iterable: AsyncIterable<T>, each: (item: T) => unknown = () => {}): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) {
    items.push(item);
    each(item);
  }
  return items;
}

test('a call is a page and, iterated, all items or pages, once and in order, for any size of list and page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 4 }), async (limit, start) => {
      const { api, requests } = clientOf(page);
      const parameters = { limit, format: 'ebook', cursor: String(start) } as const;
      const expected = books.slice(start);
      const { data, nextCursor } = await api.listBooks(parameters).withResponse();
      const next = limit < expected.length ? String(start + limit) : undefined;
      expect([data, nextCursor]).toEqual([expected.slice(0, limit), next]);
      expect(await all(api.listBooks(parameters))).toEqual(expected);
      const sent = requests.slice(1).map(({ url }) => new URL(url).search);
      const cursors = Array.from({ length: Math.ceil(expected.length / limit) }, (_, index) => start + index * limit);
      expect(sent).toEqual(cursors.map((cursor) => `?limit=${limit}&format=ebook&cursor=${cursor}`));
      const pages = cursors.map((cursor) => books.slice(cursor, cursor + limit));
      expect(await all(api.listBooks(parameters).pages())).toEqual(pages);
    }),
  );
});

test('pages are requested on demand, and iterating again reuses the first one', async () => {
  const { api, requests } = clientOf(page);
  const call = api.listBooks({ limit: 2 });
  for await (const { id } of call) if (id === 2) break;
  expect(requests).toHaveLength(1);
  expect(await all(call)).toEqual(books);
  expect(requests).toHaveLength(3);
});

test('the next page is requested from the same base URL, wherever the link points', async () => {
  const { api, requests } = clientOf((_, attempt) =>
    Response.json([], { headers: attempt === 1 ? { Link: '<https://elsewhere.example/?cursor=x>; rel="next"' } : {} }),
  );
  await all(api.listBooks());
  expect(requests[1]?.url).toBe('https://api.bookstore.example/v1/books?cursor=x');
});

test('cursors that repeat, as in a → b → a, end the iteration after at most three times as many pages as there are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 40 }), async (before, cycle) => {
      const last = before + cycle;
      const after = (at: number) => (at < last ? at + 1 : before + 1);
      const { api, requests } = clientOf((request, attempt) => {
        if (attempt > 1_000) throw new Error('endless');
        const at = Number(new URL(request.url).searchParams.get('cursor'));
        return Response.json([{ ...book, id: at }], { headers: { Link: `<?cursor=${after(at)}>; rel="next"` } });
      });
      const seen: number[] = [];
      const error = await failureOf(all(api.listBooks(), ({ id }) => seen.push(id)));
      expect(error).toMatchObject({ code: 'unexpected_response', status: 200, attempts: 1 });
      expect(error.message).toContain('the next page was requested before');
      // The items are in the order of the links. The page that leads back may be missing.
      for (const [index, id] of seen.entries()) expect(id).toBe(index === 0 ? 0 : after(seen[index - 1] as number));
      expect(seen.length).toBeGreaterThanOrEqual(last);
      expect(requests.length).toBeLessThanOrEqual(3 * (last + 1));
    }),
    { examples: [1, 2].map((cycle) => [0, cycle]) },
  );
});

test('the signal of the call ends the iteration', async () => {
  const controller = new AbortController();
  const { api, requests } = clientOf(page);
  const reason = new Error('enough');
  const call = api.listBooks({ limit: 1 }, { signal: controller.signal });
  expect(await rejectionOf(all(call, () => controller.abort(reason)))).toBe(reason);
  expect(requests).toHaveLength(1);
});

test('only operations with a cursor and a Link have pages', async () => {
  const { fixture } = fixtureClientOf((_, attempt) =>
    Response.json([{ id: attempt, bookId: 1 }], { headers: attempt === 1 ? { Link: '<?cursor=b>; rel="next"' } : {} }),
  );
  expect(await all(fixture.listOrders({ storeId: 'a', 'page-size': 1 }))).toEqual([
    { id: 1, bookId: 1 },
    { id: 2, bookId: 1 },
  ]);
  const call = fixture.createOrder({ storeId: 'a' }, { bookId: 1 });
  expect(Object.keys(call)).toEqual(['withResponse']);
  await call.catch(() => {});
});

test('a list that fails before its consumer begins rejects there, and is no unhandled rejection', async () => {
  const { api } = clientOf(() => errorResponse(404));
  const books = api.listBooks();
  // Vitest fails on an unhandled rejection.
  for (let turn = 0; turn < 20; turn++) await settled();
  expect(await rejectionOf(books.pages().next())).toMatchObject({ status: 404 });
});
