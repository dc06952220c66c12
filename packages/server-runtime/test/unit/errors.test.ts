import type { ErrorBody as Body } from '@petstore-platform/server-runtime';
import { document } from '@repo/bookstore/generated/document';
import type { ErrorBody } from '@repo/bookstore/generated/operations';
import { expect, expectTypeOf, test } from 'vitest';
import { CODES } from '../../src/codes.ts';
import { ApiError, isDatabaseUnavailable } from '../../src/errors.ts';
import { rowsOf, temporaryDatabase } from '../support/database.ts';

/** The errors of statements, each on its own connection. */
async function errorsOf(...statements: string[]): Promise<unknown[]> {
  const url = await temporaryDatabase({ migrated: false });
  return Promise.all(statements.map((statement) => rowsOf(url, statement).catch((error: unknown) => error)));
}

const raise = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`;
const codeOf = (error: unknown) => (error as { code?: string }).code;

test('a temporary failure is that of a Postgres that is full, slow, locked, shutting down or read-only', async () => {
  const codes = '53100 53200 53300 55P03 40001 40P01 57P01 57P02 57P03 08006 2200H 25P03 25P04 XX000'.split(' ');
  const slow = 'set statement_timeout = 1; select pg_sleep(1)';
  const statements = [slow, ...codes.map(raise), 'begin read only; create table t ()'];
  const errors = await errorsOf(...statements);
  expect(errors.map(codeOf)).toEqual(expect.arrayContaining(['57014', '25006', '53300', '40P01']));
  // Postgres translates its texts and severities.
  for (const error of errors) Object.assign(error as object, { message: 'Postgres ist abgestürzt', severity: 'PANIK' });
  for (const error of errors) expect([codeOf(error), isDatabaseUnavailable(error)]).toEqual([codeOf(error), true]);
  for (const error of await errorsOf(raise('23514'), raise('XX001'))) expect(isDatabaseUnavailable(error)).toBe(false);
});

test('each failure has the code of its status, or one of its own; the contract lists those of the platform', () => {
  const { 'x-extensible-enum': listed } = document.components.schemas.Error.properties.code;
  expect(listed).toEqual(expect.arrayContaining(Object.values(CODES)));
  for (let status = 400; status < 600; status++) {
    const { code } = new ApiError(status, 'x');
    expect(code).toBe((CODES as Record<number, string>)[status] ?? `http_${status}`);
    expect(code === 'invalid_request').toBe(status === 400);
  }
  expect(new ApiError(409, 'x', { code: 'store_closed' }).body()).toEqual({
    ...{ code: 'store_closed', message: 'x', status: 409 },
  });
  expectTypeOf<ErrorBody['code']>().toEqualTypeOf<Body['code'] | 'store_closed'>();
});
