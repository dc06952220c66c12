import { test } from 'vitest';
import { parseJson } from '../src/json.ts';
import { parseForm } from '../src/parsers.ts';
import { expectLinear } from './support.ts';

/** Makes a text of about `length` characters: a start, repetitions, an end. */
const run =
  (repeated: string, start = '', end = '') =>
  (length: number) =>
    start + repeated.repeat(length / repeated.length) + end;

const BODIES: [string, (length: number) => string][] = [
  ['zeros within a fraction', run('0', '{"z":1.', '1}')],
  ['zeros that end a fraction', run('0', '{"z":1.', '}')],
  ['zeros before a fraction', run('0', '{"z":-0.', '1}')],
  ['zeros of an exponent', run('0', '{"z":1e', '1}')],
  ['zeros of an integer', run('0', '{"z":1', 'e-5}')],
  ['nines', run('9', '{"z":', '.5}')],
  ['fractions', run('1.0,', '[', '1]')],
  ['objects in objects', run('{"a":', '', '1')],
  ['brackets', run('[')],
  ['escapes', run('\\u0000', '{"title":"', '"}')],
  ['surrogates', run('\\ud800', '{"title":"', '"}')],
  [
    'fields',
    (length) => JSON.stringify(Object.fromEntries(Array.from({ length: length / 10 }, (_, i) => [`a${i}`, 1]))),
  ],
];

test.each(BODIES)('parsing 64 kB of %s takes linear time', (_name, worstCase) => {
  expectLinear((length) => {
    const body = Buffer.from(worstCase(length));
    return () => parseJson(body, {} as never);
  });
});

test.each(['=', '&', '%2D', '%C3%A9', '+', 'a&', 'a='])('a form of %s takes linear time', (text) => {
  const styles = { a: { style: 'form', explode: false, of: 'list' } };
  const request = { routeOptions: { config: { openapi: { body: { json: [], styles } } } } } as never;
  expectLinear((length) => {
    const form = Buffer.from(run(text)(length));
    return () => parseForm(form, request);
  });
});
