/** Tests the texts that the author of a change reads. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adviceOn } from '../src/advice.ts';
import { toMarkdown } from '../src/markdown.ts';
import type { Report } from '../src/report.ts';
import { review } from '../src/review.ts';
import { CASES } from './corpus.ts';
import { picture } from './picture.ts';
import { FILE, Repository, SHOP } from './repository.ts';

let repository: Repository;

async function reportOf(change: () => void, files: Record<string, string> = {}) {
  repository = new Repository({ [FILE]: SHOP, 'openapi/.released/shop.yaml': SHOP, ...files });
  change();
  const now = new Date('2026-11-21T12:00:00Z');
  const report = (await review({ base: 'main', package: '@shop/client', cwd: repository.root, now })) as Report;
  return toMarkdown(report);
}

describe('one screen says what to do about', () => {
  /** Texts of the contract, each with the one that replaces it. */
  test.each<[name: string, edits: Record<string, string>]>([
    [
      'an-optional-parameter',
      { '- { name: limit': '- { name: after, in: query, schema: { type: string } }\n        - { name: limit' },
    ],
    ['a-response-enum-value', { 'enum: [open, sent]': 'enum: [open, sent, lost]' }],
    ['a-renamed-response-field', { 'note: { type': 'remark: { type' }],
    [
      'a-required-request-field',
      {
        'required: [item]': 'required: [item, count]',
        'maxLength: 50 }': 'maxLength: 50 }\n        count: { type: integer }',
      },
    ],
    ['a-moved-path', { '  /orders/{id}:': '  /purchases/{id}:' }],
  ])('%s', async (name, edits) => {
    const text = await reportOf(() => {
      for (const [from, to] of Object.entries(edits)) repository.replace(from, to);
    });
    expect(text.split('\n').length).toBeLessThan(60);
    await expect(text).toMatchFileSnapshot(`reports/${name}.md`);
  });
});

test('the picture of the README shows a report', async () => {
  const report = readFileSync(new URL('reports/a-required-request-field.md', import.meta.url), 'utf8');
  await expect(picture(report, 740)).toMatchFileSnapshot('../comment.svg');
});

test('what follows from a removed operation is folded under it', async () => {
  const only =
    "  /stock: { get: { operationId: getStock, responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Stock' } } } } } } }\n";
  const stock = SHOP.replace(
    'components:\n  schemas:\n',
    `${only}components:\n  schemas:\n    Stock: { type: object }\n`,
  );
  const text = await reportOf(() => repository.write(FILE, SHOP), { [FILE]: stock });
  expect(text).toContain('`GET /stock` was removed. Changed with it: 1 type.');
  expect(text).not.toContain('component-schema-removed');
});

test('a removed type that nobody uses breaks no client', async () => {
  const text = await reportOf(() => repository.write(FILE, SHOP), { [FILE]: `${SHOP}    Unused: { type: object }\n` });
  expect(text).toContain("**Breaks users of the SDK's types**: 1 breaking change.");
});

const HOSTILE = [
  '` <b> @team [a](https://evil.example)',
  '``x``',
  'a\n\n::error::b\n# Title',
  '|',
  '<!-- -->',
  '@team',
  '\u202e',
];

test.each(HOSTILE)('%j of a contract is text in each place of the report', async (text) => {
  const json = JSON.stringify(text);
  const report = await reportOf(() => {
    const contract = SHOP.replace('operationId: createOrder', `operationId: ${json}`)
      .replace('https://shop.example/v1', `https://shop.example/${encodeURI('x')}`)
      .replace('servers: [{ url: https://shop.example/x }]', `servers: [{ url: ${json} }]`)
      .replace('enum: [open, sent]', `enum: [open, sent, ${json}]`)
      .replace('name: limit', `name: ${json}`)
      .replace(
        'operationId: getOrder',
        `operationId: getOrder\n      x-stability: ${json}\n      deprecated: true\n      x-sunset: ${json}`,
      )
      .replace('note: {', `${json}: {`)
      .replace('maxLength: 50', `pattern: ${json}, format: ${json}`);
    repository.write(FILE, contract);
  });
  // The hostile texts stand in code spans and fenced blocks only.
  const fenced = report.replaceAll(/^(`{3,})\w+\n[\s\S]*?\n\1$/gm, '').replaceAll('\\|', '');
  const prose = fenced.split('\n').map((line) => line.replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ''));
  expect(prose.filter((line) => /@team|evil|<b>|^::|# Title|\u202e|^<!-- -->/.test(line))).toEqual([]);
  expect(report.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
});

test('each breaking rule of the corpus has advice of its own', () => {
  const rules = CASES.flatMap(({ expected }) => expected.filter(({ impact }) => impact === 'major'));
  expect(rules.filter(({ rule }) => adviceOn(rule) === adviceOn(''))).toEqual([]);
});
