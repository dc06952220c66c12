import { parse } from 'yaml';
import { type Bump, largestBump } from './finding.ts';

export const PACKAGE = '@petstore/client';

/** Matches files that `changeset version` reads. It ignores hidden files and other folders. */
const isChangeset = (file: string) =>
  /^\.changeset\/(pre\/)?[^./][^/]*\.md$/.test(file) && !/\/readme\.md$/i.test(file);

const BUMPS: readonly unknown[] = ['major', 'minor', 'patch', 'none'];

/**
 * The largest bump of `@petstore/client` that changesets declare.
 *
 * @throws Error for invalid front matter, which `changeset version` would ignore
 */
export function declaredBump(files: readonly { file: string; text: string }[]): Bump {
  const changesets = files.filter(({ file }) => isChangeset(file));
  return largestBump(changesets.map(({ file, text }) => bumpOf(file, text)));
}

function bumpOf(file: string, text: string): Bump {
  const matter = /^\s*---\r?\n([\s\S]*?)\r?\n?---(\r?\n|$)/.exec(text)?.[1];
  const bumps = matter === undefined ? undefined : (parse(matter) ?? {});
  if (typeof bumps !== 'object' || !Object.values(bumps).every((bump) => BUMPS.includes(bump))) {
    throw new Error(`${file}:1:1 is not a changeset: start it with \`---\`, a line \`"${PACKAGE}": minor\`, \`---\``);
  }
  return bumps[PACKAGE] ?? 'none';
}

export function changeset(bump: Bump, summary: string): string {
  return `---\n"${PACKAGE}": ${bump}\n---\n\n${summary}\n`;
}
