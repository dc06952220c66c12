import fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, clientOf, errorResponse, failureOf, fixtureClientOf, rejectionOf } from './helpers.ts';

const books = Array.from({ length: 5 }, (_, index) => ({ ...book, id: index + 1 }));

/** Responds like the service: `limit` books from `cursor` on, and a link to the next page. */
function page(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const start = Number(searchParams.get('cursor') ?? 0);
  const end = start + Number(searchParams.get('limit') ?? 20);
  const link = `</v1/books?limit=1&cursor=${end}>; rel="next"`;
  return Response.json(books.slice(start, end), { headers: end < books.length ? { Link: link } : {} });
}

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

test('awaited, a call is a page; iterated, all items; pages() yields all pages', async () => {
  const { api, requests } = clientOf(page);
  const first = await api.listBooks({ limit: 2 }).withResponse();
  expect([first.data, first.nextCursor]).toEqual([books.slice(0, 2), '2']);
  expect((await api.listBooks({ limit: 2, cursor: '4' }).withResponse()).nextCursor).toBeUndefined();
  expect(await all(api.listBooks({ limit: 2, format: 'ebook' }))).toEqual(books);
  expect(await all(api.listBooks({ limit: 2 }).pages())).toEqual([
    books.slice(0, 2),
    books.slice(2, 4),
    books.slice(4),
  ]);
  expect(requests.slice(2, 5).map(({ url }) => new URL(url).search)).toEqual([
    '?limit=2&format=ebook',
    '?limit=2&format=ebook&cursor=2',
    '?limit=2&format=ebook&cursor=4',
  ]);
});

test('yields each item once and in order, for any size of list and page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 4 }), async (limit, cursor) => {
      const { api, requests } = clientOf(page);
      expect(await all(api.listBooks({ limit, cursor: String(cursor) }))).toEqual(books.slice(cursor));
      expect(requests).toHaveLength(Math.ceil((books.length - cursor) / limit));
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
  expect(requests.map(({ url }) => url)).toEqual([
    'https://api.bookstore.example/v1/books',
    'https://api.bookstore.example/v1/books?cursor=x',
  ]);
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
      const endless = (async () => {
        for await (const { id } of api.listBooks()) seen.push(id);
      })();
      const error = await failureOf(endless);
      expect(error).toMatchObject({ code: 'unexpected_response', status: 200, attempts: 1 });
      expect(error.message).toContain('the next page was requested before');
      // In the order of the links. The page that leads back may be missing.
      for (const [index, id] of seen.entries()) expect(id).toBe(index === 0 ? 0 : after(seen[index - 1] as number));
      expect(seen.length).toBeGreaterThanOrEqual(last);
      expect(requests.length).toBeLessThanOrEqual(3 * (last + 1));
    }),
    {
      examples: [
        [0, 1],
        [0, 2],
      ],
    },
  );
});

test('a failed page ends the iteration with its error', async () => {
  const { api, requests } = clientOf((request, attempt) => (attempt < 3 ? page(request) : errorResponse(500)));
  const failed = all(api.listBooks({ limit: 1 }, { maxRetries: 0 }));
  expect(await rejectionOf(failed)).toMatchObject({ status: 500, attempts: 1 });
  expect(requests).toHaveLength(3);
});

test('the signal of the call ends the iteration', async () => {
  const controller = new AbortController();
  const { api, requests } = clientOf(page);
  const reason = new Error('enough');
  const aborted = (async () => {
    for await (const _ of api.listBooks({ limit: 1 }, { signal: controller.signal })) controller.abort(reason);
  })();
  expect(await rejectionOf(aborted)).toBe(reason);
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
