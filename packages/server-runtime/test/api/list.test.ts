import { encodeCursor } from '@repo/bookstore/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, sharedServer } from '../support/server.ts';

const int64 = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const cursorAfter = (id: number) => encodeCursor('listBooks', id);
const server = sharedServer();
const list = (cursor: string) => server.request(`/v1/books?${new URLSearchParams({ cursor })}`);

test('a cursor that was truncated, extended or garbled, or that is of another list, is 400 and names the parameter', async () => {
  const changed = fc.tuple(int64, fc.nat(), fc.base64String()).map(([after, at, text]) => {
    const cursor = cursorAfter(after);
    const start = cursor.slice(0, at % cursor.length);
    const all = [start, `${cursor}${text || 'A'}`, `${start}${text}`, encodeCursor('listPots', after)];
    return all.filter((each) => each !== cursor);
  });
  // The unit `binary` of fast-check would list all million characters first.
  const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const texts = fc.oneof(fc.string({ unit }), fc.string()).map((text) => [text]);
  const beyond = Buffer.from('after:9007199254740993.').toString('base64url');
  const known = ['', beyond, `${cursorAfter(4)}==`, 'YWZ0ZXI6LTAu', 'after:4', '4', 'a'.repeat(200)];
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, texts), async (cursors) => {
      for (const cursor of cursors) {
        const { code, message } = await errorOf(await list(cursor));
        expect([cursor, code, message]).toEqual([cursor, 'invalid_request', expect.stringContaining('cursor')]);
      }
    }),
    { examples: [[known]] },
  );
});

test('a cursor past the last book is an empty page', async () => {
  const response = await list(cursorAfter(Number.MAX_SAFE_INTEGER));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([]);
  expect(response.headers.has('Link')).toBe(false);
});
