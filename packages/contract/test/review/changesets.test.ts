import { describe, expect, test } from 'vitest';
import { changeset, declaredBump } from '../../src/review/changesets.ts';

const file = (text: string, name = '.changeset/change.md') => ({ file: name, text });

describe('declaredBump', () => {
  test.each([
    ['---\n"@petstore/client": minor\n---\n\nText\n', 'minor'],
    ["---\n'@petstore/client': patch\n---\n", 'patch'],
    ['---\r\n"@petstore/client": major\r\n---\r\n\r\nText', 'major'],
    ['---\n"@petstore/server": major\n---\n\nAnother package\n', 'none'],
    ['---\n---\n\nEmpty\n', 'none'],
  ])('reads %j', (text, bump) => {
    expect(declaredBump([file(text)])).toBe(bump);
  });

  test('is the largest of several', () => {
    expect(
      declaredBump([file(changeset('patch', 'a')), file(changeset('major', 'b')), file(changeset('minor', 'c'))]),
    ).toBe('major');
  });

  test('is none without changesets', () => {
    expect(declaredBump([file('# Changesets', '.changeset/README.md'), file('{}', '.changeset/config.json')])).toBe(
      'none',
    );
  });

  test.each([
    ['.changeset/limit.md', 'major'],
    ['.changeset/pre/limit.md', 'major'],
    ['.changeset/limit-README.md', 'major'],
    ['.changeset/limits/limit.md', 'none'],
    ['.changeset/.limit.md', 'none'],
    ['.changeset/readme.md', 'none'],
  ])('counts what `changeset version` reads: %s is %s', (name, bump) => {
    expect(declaredBump([file(changeset('major', 'Text'), name)])).toBe(bump);
  });

  test.each(['Just text\n', '---\n\n## "@petstore/client": minor\n\nText\n', '---\n"@petstore/client": huge\n---\n'])(
    'fails on the invalid changeset %j',
    (text) => {
      expect(() => declaredBump([file(text)])).toThrow('.changeset/change.md:1:1 is not a changeset');
    },
  );
});
