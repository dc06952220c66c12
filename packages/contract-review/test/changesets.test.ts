import { beforeEach, expect, test } from 'vitest';
import { changeset, declaredBump } from '../src/changesets.ts';
import { Folder } from './folder.ts';

const SDK = '@bookstore/client';

let folder: Folder;

beforeEach(() => {
  folder = new Folder();
});

const write = (text: string, name = '.changeset/change.md') => folder.write(name, text);

test.each([
  ['---\n"@bookstore/client": minor\n---\n\nText\n', 'minor'],
  ["---\n'@bookstore/client': patch\n---\n", 'patch'],
  ['---\r\n"@bookstore/client": major\r\n---\r\n\r\nText', 'major'],
  ['---\n"@bookstore/server": major\n---\n\nAnother package\n', 'none'],
  ['---\n---\n\nEmpty\n', 'none'],
])('the changeset %j declares %s', (text, bump) => {
  write(text);
  expect(declaredBump(folder.root, SDK)).toBe(bump);
});

test('the largest of several bumps counts', () => {
  for (const bump of ['patch', 'major', 'minor'] as const) write(changeset(SDK, bump, 'Text'), `.changeset/${bump}.md`);
  expect(declaredBump(folder.root, SDK)).toBe('major');
});

test.each(['Just text\n', '---\n\n## "@bookstore/client": minor\n\nText\n', '---\n"@bookstore/client": huge\n---\n'])(
  'the invalid changeset %j fails, as with `changeset version`',
  (text) => {
    write(text);
    expect(() => declaredBump(folder.root, SDK)).toThrow('could not parse changeset');
  },
);
