import { ANIMAL, LARGE } from './http-requests.ts';

const named = (name: string) => `{"name":"${name}","categoryId":7}`;
const numbered = (number: string) => `{"name":"Biscuit","categoryId":${number}}`;
const withCategories = (numbers: string[], status: number) =>
  numbers.map((number): Body => [`the category ${number}`, numbered(number), status]);

type Body = [name: string, body: string | Buffer, status: number];

/** Animals that a client may try to add, and the status that it gets. */
export const bodies: Body[] = [
  ['NUL in its name', named('\\u0000'), 400],
  ['a bare NUL', named('\0'), 400],
  ['half a surrogate pair', named('\\ud800'), 400],
  ['the other half', named('\\udc00x'), 400],
  ['a surrogate pair', named('\\ud83d\\udc15'), 201],
  ['a name from right to left', named('\u202eכלב'), 201],
  ['a family for a name', named('👩‍👩‍👧‍👦'), 201],
  ['255 dogs for a name', named('🐕'.repeat(255)), 201],
  ['256 dogs for a name', named('🐕'.repeat(256)), 400],
  ['a name that is SQL', named(`'); drop table pets; --`), 201],
  ['no name', named(''), 400],
  ['a prototype', `{"__proto__":{"name":"x"},"categoryId":7}`, 400],
  ['a prototype beside', `{"name":"Biscuit","categoryId":7,"__proto__":{"admin":true}}`, 400],
  ['a constructor', `{"name":"Biscuit","categoryId":7,"constructor":{"prototype":{}}}`, 400],
  // RFC 8259 leaves it open; the last one counts, as everywhere in JavaScript.
  ['two names', `{"name":5,"name":"Biscuit","categoryId":7}`, 201],
  ['two names, the last one bad', `{"name":"Biscuit","name":5,"categoryId":7}`, 400],
  ...withCategories(['9007199254740991', '-9007199254740991', '-0', '7.0', '7e0', '70e-1'], 201),
  ...withCategories(['9007199254740992', '9007199254740993', '-9007199254740992', '9223372036854775807'], 400),
  ...withCategories(['9223372036854775808', '1e400', '1e-400', '7.5', '9007199254740991.4', '"7"', 'null'], 400),
  ...withCategories(['true', 'NaN', 'Infinity', '07', '0x7', '[7]'], 400),
  ['brackets 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 400],
  ['brackets 30,000 deep, left open', '['.repeat(30_000), 400],
  ['a category 10,000 deep', numbered(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), 400],
  ['5,000 unknown fields', `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join()}}`, 400],
  ['a body that is no UTF-8', Buffer.from(named('\xff'), 'latin1'), 400],
  ['a body in UTF-16', Buffer.from(ANIMAL, 'utf16le'), 400],
  ['a byte order mark', `\ufeff${ANIMAL}`, 400],
  ...['', 'null', '[]', '7', '"x"', '{', `${ANIMAL}x`].map((body): Body => [`the body ${body}`, body, 400]),
  ['more than there may be', named('x'.repeat(LARGE)), 413],
];
