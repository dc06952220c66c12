import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextLink, parseRateLimit, parseRetryAfter } from '../src/headers.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const base = 'https://api.bookstore.example/v1';
const next = (value: string) => nextLink(new Headers({ Link: value }), base)?.href;

test.each([
  ['</v1/books?cursor=a>; rel="next"', 'https://api.bookstore.example/v1/books?cursor=a'],
  ['<?cursor=a>;rel=next', 'https://api.bookstore.example/v1?cursor=a'],
  ['</a>; rel="prev", </b>; rel="next"', 'https://api.bookstore.example/b'],
  ['</a,b>; title="x, y"; REL="last Next"', 'https://api.bookstore.example/a,b'],
  ['</a>; rel="nextish"', undefined],
  ['</a>', undefined],
  // A header must begin with the link: searching for a later one takes time quadratic in the length.
  ['a </a>; rel="next"', undefined],
  ['<https://[>; rel="next"', undefined],
  ['', undefined],
])('Link: %j leads to %s', (value, href) => expect(next(value)).toBe(href));

test('any Link is parsed without an exception', () => {
  fc.assert(fc.property(fc.stringMatching(/^[<>;,="a-z ]*$/), (value) => void next(value)));
});

test.each([
  ['0', 0],
  ['864000', 864000],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['2026-11-20', undefined],
  ['tomorrow GMT', undefined],
  [null, undefined],
])('Retry-After: %j is %j seconds', (value, seconds) => expect(parseRetryAfter(value, now)).toBe(seconds));

test('the wait for a date is never too short', () => {
  const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, fc.nat(), (date, now) => {
      const seconds = parseRetryAfter(date.toUTCString(), now) ?? Number.NaN;
      expect(now + seconds * 1000).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000);
    }),
  );
});

const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];
const rateLimit = (...values: string[]) =>
  parseRateLimit(new Headers(values.map((value, index) => [String(NAMES[index]), value])), now);

test.each([
  [['60']],
  [['60', '', '1795176060']],
  [['60', '-1', '1795176060']],
  [['60', '1, 2', '1795176060']],
  [['60', '1', '9'.repeat(20)]],
])('there is no rate limit if a header is missing or malformed: %j', (values) => {
  expect(rateLimit(...values)).toBeUndefined();
});

test('both windows are parsed, their ends relative to the service clock', () => {
  const policy = '"minute";q=60;w=60, "day";q=1000;w=86400';
  expect(rateLimit('60', '0', '1795176060', policy, '"minute";r=0;t=30, "day";r=941;t=43200')?.windows).toEqual({
    minute: { limit: 60, remaining: 0, reset: new Date('2026-11-20T12:00:30Z') },
    day: { limit: 1000, remaining: 941, reset: new Date('2026-11-21T00:00:00Z') },
  });
});

test('a rate limit has integers and valid dates for any headers', () => {
  const value = fc.oneof(
    fc.stringMatching(/^[\x20-\x7e]*$/),
    fc.stringMatching(/^("[a-z_]{1,9}"(;[qrtw]=\d{0,20}){0,3}[, ]?)*$/),
    fc.nat().map(String),
  );
  fc.assert(
    fc.property(fc.tuple(value, value, value, value, value), (values) => {
      const limit = rateLimit(...values);
      for (const window of limit ? [limit, ...Object.values(limit.windows)] : []) {
        expect(Number.isSafeInteger(window.limit) && Number.isSafeInteger(window.remaining)).toBe(true);
        expect(window.reset.getTime()).not.toBeNaN();
      }
    }),
  );
});
