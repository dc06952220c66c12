import { type Collection, itemOf, LARGE } from './http-requests.ts';

type Body = [name: string, body: string | Buffer, status: number];

/** Digits that bring a body close to its size limit. */
const ZEROS = '0'.repeat(30_000);

/** Bodies for a creation, valid and invalid, with the expected status. */
export function bodiesOf(collection: Collection): Body[] {
  const { text, integer } = collection.fields;
  const item = itemOf(collection);
  const named = (name: string) => `{"${text}":"${name}","${integer}":7}`;
  const numbered = (number: string) => `{"${text}":"Ada","${integer}":${number}}`;
  const withNumbers = (numbers: string[], status: number) =>
    numbers.map((number): Body => [`the number ${number.slice(0, 30)}`, numbered(number), status]);

  return [
    ['an escaped NUL in its name', named('\\u0000'), 400],
    ['a raw NUL in its name', named('\0'), 400],
    ['a lone high surrogate', named('\\ud800'), 400],
    ['a lone low surrogate', named('\\udc00x'), 400],
    ['a surrogate pair', named('\\ud83d\\udc15'), 201],
    ['a right-to-left name', named('\u202eכלב'), 201],
    ['a ZWJ sequence as name', named('👩‍👩‍👧‍👦'), 201],
    ['a name of 255 code points', named('🐕'.repeat(255)), 201],
    ['a name of 256 code points', named('🐕'.repeat(256)), 400],
    ['SQL as name', named(`'); drop table api_keys; --`), 201],
    ['an empty name', named(''), 400],
    ['__proto__ instead of a name', `{"__proto__":{"${text}":"x"},"${integer}":7}`, 400],
    ['__proto__ as an extra field', `{"${text}":"Ada","${integer}":7,"__proto__":{"admin":true}}`, 400],
    ['a constructor', `{"${text}":"Ada","${integer}":7,"constructor":{"prototype":{}}}`, 400],
    // RFC 8259 leaves duplicate names open. The last one counts, as in JSON.parse.
    ['two names', `{"${text}":5,"${text}":"Ada","${integer}":7}`, 201],
    ['two names, the last one bad', `{"${text}":"Ada","${text}":5,"${integer}":7}`, 400],
    ...withNumbers(['9007199254740991', '-9007199254740991', '-0', '7.0', '7e0', '70e-1'], 201),
    ...withNumbers(['9007199254740992', '9007199254740993', '-9007199254740992', '9223372036854775807'], 400),
    ...withNumbers(['9223372036854775808', '1e400', '1e-400', '7.5', '9007199254740991.4', '"7"', 'null'], 400),
    ...withNumbers(['true', 'NaN', 'Infinity', '07', '0x7', '[7]'], 400),
    // With so many digits, a quadratic parser would be slow.
    ...withNumbers([`1.${ZEROS}1`, `-1.${ZEROS}1`, `0.${ZEROS}1`, `1${ZEROS}`, `1e-1${ZEROS}`, `1e1${ZEROS}`], 400),
    ...withNumbers([`1.${ZEROS}`, `-0.${ZEROS}`, `1e${ZEROS}1`, `70.${ZEROS}e-${ZEROS}1`], 201),
    ['brackets 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 400],
    ['brackets 30,000 deep, unclosed', '['.repeat(30_000), 400],
    ['a number 10,000 deep', numbered(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), 400],
    ['5,000 unknown fields', `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join()}}`, 400],
    ['invalid UTF-8', Buffer.from(named('\xff'), 'latin1'), 400],
    ['a body in UTF-16', Buffer.from(item, 'utf16le'), 400],
    // These are a truncated character, an overlong NUL and an encoded surrogate.
    ...['\xc3', '\xc0\x80', '\xed\xa0\x80'].map(
      (bytes): Body => ['bytes that are no text', Buffer.from(named(bytes), 'latin1'), 400],
    ),
    ['a byte order mark', `\ufeff${item}`, 400],
    ...['', ' ', 'null', '[]', '7', '"x"', '{', '{}{}', `${item}x`, `${item},`, `[${item}]`, '// a comment\n{}']
      .concat(`${text}=Ada`, `{'${text}':'Ada','${integer}':7}`, `{"${text}":"Ada","${integer}":7,}`)
      .concat(named('tab\there'), numbered('.7'), `{"${text}":"Ada","__proto__":{"${integer}":7}}`)
      .map((body): Body => [`the body ${body}`, body, 400]),
    ['a body of the largest size', item.padEnd(65_536, ' '), 201],
    ['a body of one byte more', item.padEnd(65_537, ' '), 413],
    ['a body over the size limit', named('x'.repeat(LARGE)), 413],
  ];
}
