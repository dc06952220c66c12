import { isDatabaseUnavailable, Overdue } from '@repo/server-runtime/internal/errors';
import { withClient } from '@repo/testkit/postgres';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { temporaryDatabase } from './support/database.ts';

/** The errors of statements, each on its own connection. */
async function errorsOf(...statements: string[]): Promise<unknown[]> {
  const url = await temporaryDatabase({ migrated: false });
  return withClient(url, async (client) => {
    const errors: unknown[] = [];
    for (const statement of statements) errors.push(await client.query(statement).catch((error: unknown) => error));
    return errors;
  });
}

const raise = (code: string) => `do $$ begin raise exception using errcode = '${code}'; end $$`;
const codeOf = (error: unknown) => (error as { code?: string }).code;

describe('a temporary failure', () => {
  test('is an error of a Postgres that is full, slow, locked, shutting down or read-only', async () => {
    const statements = [
      `set statement_timeout = 1; select pg_sleep(1)`,
      ...[
        '53100',
        '53200',
        '53300',
        '55P03',
        '40001',
        '40P01',
        '57P01',
        '57P02',
        '57P03',
        '08006',
        '0A000',
        '2200H',
        '25P03',
        '25P04',
        'XX000',
      ].map(raise),
      `begin read only; create table t ()`,
    ];
    const errors = await errorsOf(...statements);
    expect(errors.map(codeOf)).toEqual(expect.arrayContaining(['57014', '25006', '53300', '40P01']));
    for (const error of errors) expect([codeOf(error), isDatabaseUnavailable(error)]).toEqual([codeOf(error), true]);
  });

  test('is a failed connection', async () => {
    const refused = [
      'postgres://127.0.0.1:1/x',
      'postgres://localhost:1/x',
      'postgres://nowhere.invalid/x',
      'postgres://%2Fnowhere/x',
    ];
    for (const url of refused) {
      const error = await new pg.Client(url).connect().catch((failure: unknown) => failure);
      expect([String(error), isDatabaseUnavailable(error)]).toEqual([String(error), true]);
    }
  });
});

test('a queue that fails behind a slow statement is a temporary failure', () =>
  expect(isDatabaseUnavailable(new Overdue('The database takes too long'))).toBe(true));

describe('a bug', () => {
  test('is an error of an invalid statement', async () => {
    const wrong = [
      'selec',
      'select * from nowhere',
      'select 1 / 0',
      `select 'x'::bigint`,
      raise('23514'),
      raise('XX001'),
    ];
    for (const error of await errorsOf(...wrong)) expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test('is any other error, or a thrown value that is not an error', () => {
    const enoent = Object.assign(new Error('open'), { code: 'ENOENT2', syscall: 'open' });
    for (const thrown of [
      new Error('a bug'),
      new TypeError(),
      enoent,
      new AggregateError([new Error('a bug')]),
      'x',
      null,
      undefined,
    ]) {
      expect(isDatabaseUnavailable(thrown)).toBe(false);
    }
  });
});
