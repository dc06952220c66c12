import { decodeCursor, encodeCursor, kindOf } from '@repo/server-runtime/internal/api/cursor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorOf, sharedServer } from '../support/server.ts';

const int64 = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const KINDS = [kindOf('id', 'bigint')];
const cursorAfter = (id: number) => encodeCursor('listBooks', id);

describe('a cursor', () => {
  test('decodes to its value', () => {
    fc.assert(
      fc.property(int64, (after) => {
        expect(decodeCursor('listBooks', encodeCursor('listBooks', after), KINDS)).toEqual([`${after}`]);
      }),
    );
  });

  test('that was truncated, extended or garbled, or that is of another list, is invalid', () => {
    const changed = fc.tuple(int64, fc.nat(), fc.base64String()).map(([after, at, text]) => {
      const cursor = encodeCursor('listBooks', after);
      const start = cursor.slice(0, at % cursor.length);
      const all = [start, `${cursor}${text || 'A'}`, `${start}${text}`, encodeCursor('listPots', after)];
      return all.filter((each) => each !== cursor);
    });
    fc.assert(
      fc.property(changed, (cursors) => {
        for (const cursor of cursors) expect(() => decodeCursor('listBooks', cursor, KINDS)).toThrow(/cursor/);
      }),
    );
  });
});

describe('GET /v1/books?cursor=', () => {
  const server = sharedServer();

  test('an invalid cursor is 400 and names the parameter', async () => {
    const beyond = Buffer.from('after:9007199254740993.').toString('base64url');
    for (const cursor of ['', beyond, `${cursorAfter(4)}==`, 'YWZ0ZXI6LTAu', 'after:4', '4', 'a'.repeat(200)]) {
      const { code, message } = await errorOf(await server.request(`/v1/books?cursor=${cursor}`));
      expect([cursor, code, message]).toEqual([cursor, 'invalid_request', expect.stringContaining('cursor')]);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const response = await server.request(`/v1/books?${new URLSearchParams({ cursor: text })}`);
        expect(response.status).toBe(400);
      }),
    );
  });

  test('a cursor past the last book is an empty page', async () => {
    const response = await server.request(`/v1/books?cursor=${cursorAfter(Number.MAX_SAFE_INTEGER)}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
    expect(response.headers.has('Link')).toBe(false);
  });
});
