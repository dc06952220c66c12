import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkTarget } from '../src/headers.ts';

const base = 'https://api.bookstore.example/v1';
const next = (value: string) => linkTarget(new Headers({ Link: value }), 'next', base)?.href;

test.each([
  ['</v1/books?cursor=a>; rel="next"', 'https://api.bookstore.example/v1/books?cursor=a'],
  ['<?cursor=a>;rel=next', 'https://api.bookstore.example/v1?cursor=a'],
  ['</a>; rel="prev", </b>; rel="next"', 'https://api.bookstore.example/b'],
  ['</a,b>; title="x, y"; REL="last Next"', 'https://api.bookstore.example/a,b'],
  ['</a>; rel="nextish"', undefined],
  ['</a>', undefined],
  // Begins with the link: searching for a later one takes time quadratic in the length.
  ['a </a>; rel="next"', undefined],
  ['<https://[>; rel="next"', undefined],
  ['', undefined],
])('%j leads to %s', (value, href) => expect(next(value)).toBe(href));

test('any header is parsed without an exception', () => {
  fc.assert(fc.property(fc.stringMatching(/^[<>;,="a-z ]*$/), (value) => void next(value)));
});
