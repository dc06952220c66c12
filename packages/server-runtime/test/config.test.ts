import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { loadConfig, variables } from '@repo/bookstore/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFile } from './support/files.ts';

const DATABASE_URL = 'postgres://ada@db.example/bookstore';

/** Loads an environment that has the only required variable. */
const load = (environment: NodeJS.ProcessEnv) => loadConfig({ DATABASE_URL, ...environment });

test.each(['', '  '])('a variable that is %j counts as unset', (value) => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, value]));
  expect(load({ ...empty, DATABASE_URL })).toEqual(load({}));
  expect(() => loadConfig(empty)).toThrow(/^Configuration: DATABASE_URL must be .*`npm start`[^;]*$/);
});

test('all variables are read', () => {
  const texts = {
    ...{ HOST: '::', DATABASE_URL_FILE: '', LOG_LEVEL: 'silent', LOG_ADDRESS: 'on', METRICS_HOST: '0.0.0.0' },
    ...{ COMMIT: '0123abc', DOCS: 'off' },
  };
  const numbers = {
    ...{ PORT: 0, METRICS_PORT: 9_464, DATABASE_WAIT: 5, DRAIN_SECONDS: 6, MAX_REQUESTS: 10, DATABASE_POOL: 7 },
    ...{ STATEMENT_TIMEOUT: 8, MAX_CONNECTIONS: 20, BAN_AFTER: 3, BAN_SECONDS: 4 },
  };
  const others: Record<string, [written: string, read: unknown]> = {
    DATABASE_URL: [` ${DATABASE_URL}?sslmode=require `, `${DATABASE_URL}?sslmode=require`],
    TRUST_PROXY: ['2', expect.any(Function)],
    CORS_ORIGINS: ['https://app.example, http://localhost:8080', ['https://app.example', 'http://localhost:8080']],
    PUBLIC_URL: ['https://api.example/shop/', 'https://api.example/shop'],
  };
  const side = (which: 0 | 1) => Object.fromEntries(Object.entries(others).map(([name, both]) => [name, both[which]]));
  const environment: object = { ...texts, ...numbers, ...side(0) };
  const written = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
  expect(Object.keys(written).sort()).toEqual(Object.keys(variables).sort());
  expect(loadConfig(written)).toEqual({ ...texts, ...numbers, ...side(1) });
});

const bad: Record<string, string[]> = {
  PORT: ['-1', '65536', '3000.5', '0x10', '1e3', 'http', '+80', '99999999'],
  DATABASE_URL: [
    ...'localhost http://localhost/bookstore mysql://localhost/bookstore postgres://h:port/x /var/run'.split(' '),
    ...'?sslmode=bogus ?sslmode=verify-full&sslmode=bogus ?target_session_attrs=read-write'
      .split(' ')
      .map((query) => `postgres://h/x${query}`),
    ...'ada:a/b@h ada:a#b@h ada:a@b/c@h ada:a@b#c@h ada:a@b?c@h h:5432,i:5432'
      .split(' ')
      .map((at) => `postgres://${at}/x`),
  ],
  LOG_LEVEL: ['verbose', 'INFO', '30'],
  TRUST_PROXY: [
    ...'true all -1 1.5 10.0.0.0/33 10.0.0/8 ::/129 10.0.0.1/ loopback proxy.example 999'.split(' '),
    // These cover all addresses, or all of IPv4 in IPv6's notation.
    ...'0.0.0.0/0 0.0.0.0/1,128.0.0.0/1 ::/0 ::/1,8000::/1 ::ffff:0:0/96 ::ffff:0.0.0.0/97,128.0.0.0/1'.split(' '),
    '10.0.0.0/8, 0.0.0.0/128.0.0.0, 192.0.0.0/2, 128.0.0.0/2',
  ],
  CORS_ORIGINS: ['*', 'app.example', ...['/', '/path', ';https://b.example'].map((end) => `https://a.example${end}`)],
  METRICS_PORT: ['-1', '65536', 'off'],
  PUBLIC_URL: [
    'api.example',
    'ftp://a.example',
    ...['?x', '#x'].map((end) => `https://a.example/${end}`),
    'https://a:b@c.example',
  ],
  DOCS: ['no', 'false', 'OFF'],
  MAX_REQUESTS: ['-1', '1.5', '1e3', '10000000'],
  DATABASE_POOL: ['1', '1001', 'max'],
  STATEMENT_TIMEOUT: ['0', '11', '5s'],
  MAX_CONNECTIONS: ['-1', 'many'],
  BAN_AFTER: ['0', '-1', '1.5'],
  BAN_SECONDS: ['0', '1h'],
};

test('one message names all bad variables, but no values, which may be secret', () => {
  const one = fc.record(
    Object.fromEntries(Object.entries(bad).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(one, (environment) => {
      fc.pre(Object.keys(environment).length > 0);
      let message = '';
      try {
        load(environment as NodeJS.ProcessEnv);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toMatch(/^Configuration: [^\n]+$/);
      const named = message.slice('Configuration: '.length).split('; ');
      expect(named.map((part) => /^([A-Z_]+) must be /.exec(part)?.[1]).sort()).toEqual(
        Object.keys(environment).sort(),
      );
    }),
  );
  const secret = 'http://ada:hunter2@localhost/bookstore';
  expect(() => loadConfig({ DATABASE_URL: secret, CORS_ORIGINS: secret })).toThrow(/^(?!.*hunter2)/s);
});

test.each<[string, [string, number], [string, number]]>([
  ['1', ['10.1.2.3', 0], ['10.1.2.3', 1]],
  ['2', ['10.1.2.3', 1], ['10.1.2.3', 2]],
  ['10.0.0.0/8', ['10.1.2.3', 0], ['11.1.2.3', 0]],
  ['0.0.0.0/1,128.0.0.0/2,192.0.0.0/3', ['192.0.2.1', 0], ['224.0.0.1', 0]],
  ['10.0.0.0/8', ['10.1.2.3:4567', 1], ['unknown', 1]],
  ['127.0.0.1, ::1, fd00::/8', ['::1', 0], ['::2', 0]],
  ['127.0.0.1, ::1, fd00::/8', ['::ffff:127.0.0.1', 3], ['127.0.0.2', 3]],
  ['127.0.0.1, ::1, fd00::/8', ['[fd12::3]:80', 1], ['fe80::3', 1]],
])('TRUST_PROXY=%s trusts %j, and not %j', (value, trusted, other) => {
  const isTrusted = load({ TRUST_PROXY: value }).TRUST_PROXY || expect.unreachable();
  expect([isTrusted(...trusted), isTrusted(...other)]).toEqual([true, false]);
});

test('TRUST_PROXY=0 trusts nobody', () => expect(load({ TRUST_PROXY: '0' }).TRUST_PROXY).toBe(false));

test('the URL of the database comes from a file, or from variables of Postgres', () => {
  const file = temporaryFile('url');
  writeFileSync(file, `${DATABASE_URL}\n`);
  expect(loadConfig({ DATABASE_URL_FILE: file }).DATABASE_URL).toBe(pathToFileURL(file).href);
  expect(loadConfig({ PGHOST: 'db.example' }).DATABASE_URL).toBe('postgres://');
  const secure = loadConfig({ PGHOST: 'db.example', PGSSLMODE: 'verify-full', PGSSLROOTCERT: file });
  expect(secure.DATABASE_URL).toBe(`postgres:///?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`);
  for (const url of [{ DATABASE_URL }, { DATABASE_URL_FILE: file }, { PGHOST: 'db.example' }])
    expect(() => loadConfig({ ...url, PGSSLMODE: 'bogus' })).toThrow(
      /^Configuration: PGSSLMODE must be one of [^;]*full[^;]*$/,
    );
  expect(loadConfig({ DATABASE_URL, PGSSLMODE: 'require' }).DATABASE_URL).toBe(DATABASE_URL);
  expect(() => loadConfig({ DATABASE_URL: 'postgres://h/x?sslrootcert=/nowhere' })).toThrow(
    /DATABASE_URL must be a URL whose sslrootcert can be read: ENOENT$/,
  );
  expect(() => loadConfig({ DATABASE_URL_FILE: '/nowhere' })).toThrow('DATABASE_URL_FILE cannot be read: ENOENT');
  writeFileSync(file, 'postgres://ada:hunter2@h/x?sslmode=bogus');
  expect(() => loadConfig({ DATABASE_URL_FILE: file })).toThrow(
    /^[^;]*has a URL that must be .* sslmode: [^;]*full[^;]*$/,
  );
});
