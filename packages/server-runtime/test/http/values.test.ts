import type { FieldError, RequestContext } from '@petstore-platform/server-runtime';
import type { Handlers } from '@repo/bookstore/generated/operations';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const sale = { soldAt: '2026-11-24T10:15:30Z', due: '2026-12-24', price: '19.90', buyer: { name: 'Ada' }, titles: [] };

/** Asserts a 400 with these failures. */
const refused = (...errors: [pointer: string, message: string][]) => ({
  status: 400,
  json: {
    status: 400,
    code: 'invalid_request',
    message: expect.stringContaining(errors[0]?.[1] ?? ''),
    errors: errors.map(([pointer, message]): FieldError => ({ pointer, message })),
  },
});

const texts = fc.oneof(
  fc.stringMatching(
    /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[012][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,9})?([Zz]|[+-][012][0-9]:[0-5][0-9])$/,
  ),
  fc.stringMatching(/^[0-9]{4}-[01][0-9]-[0-3][0-9]$/),
  fc.stringMatching(/^[0-9]{1,8}\.[0-9]{2}$/),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('infinity', 'now', 'epoch', '24:00', '2016-12-31T23:59:60Z', '9999-12-31T24:00:00Z', '\0', '\ud800'),
);

test('no value that the contract admits and Postgres refuses is a 500', async () => {
  const sales = fc.record(
    {
      soldAt: texts,
      due: texts,
      price: texts,
      buyer: fc.record({ name: texts, city: texts }, { requiredKeys: ['name'] }),
      titles: fc.array(texts),
      labels: fc.dictionary(texts, texts),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(sales, async (fields) => {
      const { status, json } = await server.call('POST', '/sales', { ...sale, ...fields });
      expect([201, 400]).toContain(status);
      if (status === 400) expect(json.errors[0].pointer).toMatch(/^\/body/);
    }),
    { numRuns: 300 },
  );
});

describe('the error of a statement', () => {
  beforeAll(() =>
    server.db.pool.query('create table short (code varchar(3) unique); create table long (text text unique)'),
  );

  let statement = '';
  const answer = async (value: unknown) => {
    await server.db.pool.query(statement, /\$1/.test(statement) ? [value] : []);
    return { status: 200, body: [] };
  };
  /** Handlers that send values of their requests to Postgres. */
  const handlers = {
    createBook: async ({ body }: { body: { title: string } }) => answer(body.title),
    listStores: async ({ query }: { query: { city?: string } }) => answer(query.city),
  } as unknown as Partial<Handlers<RequestContext>>;
  const other = sharedServer(() => ({ handlers, databaseUrl: server.databaseUrl }));

  test.each([
    ['select $1::integer', 'x'],
    ['select $1::smallint', '40000'],
    ['select $1::numeric(10, 2)', '100000000'],
    ['select $1::timestamptz', '300000-01-01'],
    ['select $1::uuid', 'x"y'],
    ['select $1::tsquery', 'cats &'],
    ['insert into short select $1', 'abcd'],
    ['select 1 / (length($1) - 4)', 'Emma'],
    [`insert into long select string_agg(md5($1 || n), '') from generate_series(1, 200) as n`, '5'],
  ])('%s of %s is 400', async (text, title) => {
    statement = text;
    const answer = await other.call('POST', '/books', { title, storeId: 1 });
    expect(answer).toMatchObject({ status: 400, json: { message: 'A value of the request is invalid' } });
  });

  test('is a bug where the request has no value, or the statement is wrong', async () => {
    const bug = { status: 500, json: { message: 'Internal error' } };
    statement = 'select 1 / 0';
    expect(await other.call('GET', '/stores')).toMatchObject(bug);
    statement = 'selec $1::text';
    expect(await other.call('GET', '/stores?city=selec')).toMatchObject(bug);
  });
});

// cases.test.ts has those of queries and paths.
test('NUL and lone surrogates are 400 with the pointer in any text and name of a body, if it fits the contract', async () => {
  const message = 'contains an invalid character';
  for (const text of ['\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800']) {
    expect(await server.call('POST', '/books', { title: text, storeId: 1 })).toMatchObject(
      refused(['/body/title', message]),
    );
    const titles = ['Emma', text];
    const failures = refused(['/body/buyer/name', message], ['/body/titles/1', message]);
    expect(await server.call('POST', '/sales', { ...sale, buyer: { name: text }, titles })).toMatchObject(failures);
    const labels = { one: 'x', [text]: 'x' };
    expect(await server.call('POST', '/sales', { ...sale, labels })).toMatchObject(
      refused(['/body/labels', `has a field whose name ${message}`]),
    );
  }
  const { json } = await server.call('POST', '/books', { title: '\0', storeId: 1 });
  expect(json.message).toBe(`body.title ${message}`);
  expect(await server.call('POST', '/books', { title: '\0' })).toMatchObject(refused(['/body/storeId', 'is required']));
  const notFound = { code: 'not_found', message: 'The requested resource could not be found' };
  expect(await server.call('GET', '/stores/%00')).toMatchObject({ status: 404, json: notFound });
});
