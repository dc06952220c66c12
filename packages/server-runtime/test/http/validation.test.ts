import { randomBytes } from 'node:crypto';
import { operations as table } from '@repo/bookstore/generated/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, sharedServer, temporaryServer } from '../support/server.ts';

const server = sharedServer();

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
const post = (body: string) => server.request('/v1/books', { ...json, body });

/** Asserts a 400 whose message contains these texts. */
async function expectRefused(response: Response, ...named: string[]): Promise<void> {
  const body = await errorOf(response);
  expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const text of named) expect(body.message).toContain(text);
}

/** Texts that resemble a number. */
const nearNumber = fc.oneof(
  fc.stringMatching(/^[-+]?[0-9]{0,3}[-+ _.,0-9exE１]{0,4}$/),
  fc.constantFrom('null', 'NaN', 'Infinity', '0x10', '1e1', ' 5', '5 ', '9007199254740993', '1'.repeat(400)),
);

test('limit accepts only decimal digits from 1 to 100', async () => {
  const limit = fc.oneof(fc.integer({ min: -5, max: 200 }).map(String), nearNumber, fc.string());
  await fc.assert(
    fc.asyncProperty(limit, async (text) => {
      const response = await server.request(`/v1/books?${new URLSearchParams({ limit: text })}`);
      const valid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
      expect(response.status).toBe(valid ? 200 : 400);
      if (!valid) await expectRefused(response, 'query parameter limit');
    }),
    { numRuns: 200 },
  );
});

test('any query is a page or a 400; an empty one is a page', async () => {
  const query = fc.array(fc.oneof(fc.constantFrom(...'&=%?+;[]#', 'limit', 'format', '%ff', '%00'), fc.string()));
  await fc.assert(
    fc.asyncProperty(query, async (parts) => {
      const { status } = await server.request(`/v1/books?${parts.join('')}`);
      expect([200, 400]).toContain(status);
    }),
  );
  for (const query of ['?', '?&', '?&&']) expect((await server.request(`/v1/books${query}`)).status).toBe(200);
});

test('any bookId is a book or a 404', async () => {
  // The unit `binary` of fast-check would list all million characters first.
  const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const bookId = fc.oneof(fc.string({ unit }), fc.string(), nearNumber);
  await fc.assert(
    fc.asyncProperty(bookId, async (bookId) => {
      // URL normalizes these in any notation.
      fc.pre(!['', '.', '..'].includes(bookId) && bookId.isWellFormed());
      const { status } = await server.request(`/v1/books/${encodeURIComponent(bookId)}`);
      expect(status).toBe(/^-?\d+$/.test(bookId) && status === 200 ? 200 : 404);
    }),
    { numRuns: 200 },
  );
});

test('a 400 names each failure of the part that fails, as a JSON Pointer and a message', async () => {
  const failures = async (response: Response) => {
    const { errors = [] } = await errorOf(response);
    return errors.map(({ pointer, message }) => `${pointer} ${message}`);
  };
  const body = JSON.stringify({ title: '', format: 'scroll', 'a/b~c': 1 });
  expect((await failures(await post(body))).sort()).toEqual([
    '/body/a~1b~0c is unknown',
    '/body/format must be one of hardcover, paperback, ebook',
    '/body/storeId is required',
    '/body/title must not be empty',
  ]);
  expect(await failures(await server.request('/v1/books?limit=0&format=scroll'))).toEqual([
    '/query/limit must be at least 1',
    '/query/format must be one of hardcover, paperback, ebook',
  ]);
  expect(await failures(await server.request('/v1/books?limti=0&limit=1&limit=2'))).toEqual([
    '/query/limti is unknown',
    '/query/limit is given more than once',
  ]);
  const key = { ...json.headers, 'Idempotency-Key': 'é' };
  const { errors } = await errorOf(
    await server.request('/v1/books', { ...json, headers: key, body: '{"title":"Tehanu","storeId":7}' }),
  );
  expect(errors).toEqual([{ pointer: '/header/idempotency-key', message: 'must match pattern "^"*[!#-~][!-~]*$"' }]);
});

test('a key that the contract does not declare is ignored, also one that no index would take', async () => {
  const parameters = table.replaceStoreName.parameters.filter(({ in: place }) => place !== 'header');
  const operations = { ...table, replaceStoreName: { ...table.replaceStoreName, parameters } };
  const { request, db } = await temporaryServer({ operations });
  await db.pool.query(`insert into stores (name, city) values ('Main', 'Bern')`);
  const headers = { ...json.headers, 'Idempotency-Key': randomBytes(4_000).toString('hex') };
  for (const name of ['One', 'Two']) {
    const response = await request('/v1/stores/1/name', { method: 'PUT', headers, body: JSON.stringify({ name }) });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name });
  }
});
