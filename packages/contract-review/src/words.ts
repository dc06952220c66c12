/** Words and facts that the review and other readers of contracts share. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/** `1 item`, `2 properties`; a number alone without a unit. */
export const counted = (count: unknown, plural: string) =>
  `${count} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`.trim();

/** A text as one line without control characters, so that it cannot begin a workflow command or control a terminal. */
export const oneLine = (value: unknown) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  String(value).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Quotes a text of a contract as a code span, in which Markdown, mentions, HTML and workflow commands have no effect. Every text of
 * a contract in a message is quoted. A long text is cut, and its hash added, so that messages and ids of changes stay distinct.
 */
export function code(value: unknown): string {
  const line = oneLine(value);
  const text = line.length > 200 ? `${line.slice(0, 200)}… #${hashOf(line)}` : line;
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$|^$|^ .* $/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** Like {@link code}, but a plain word stays one. */
export const word = (value: unknown) => (/^[\w-]+$/.test(String(value)) ? String(value) : code(value));

/** Equal for names that differ only in case or separators, such as `categoryId` and `category_id`. */
export const lettersOf = (name: string) => name.replace(/[\s._-]/g, '').toLowerCase();

/** The most bytes of a body, unless its operation has an `x-max-body`. */
export const MAX_BODY = 65_536;

export const DAY = 86_400_000;

/** The day after a number of days (UTC), as YYYY-MM-DD. */
export function dateIn(days: number, now: Date): string {
  return new Date(now.getTime() + days * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The path of a file beside a contract: the contract as last `released`, or its `overrides`. */
export const besides = (contract: string, about: 'released' | 'overrides') =>
  path.posix.join(path.posix.dirname(contract), `.${about}`, path.posix.basename(contract));

/** Minimum days from deprecation to sunset, by stability. None for `experimental`. */
export const NOTICE_DAYS = { stable: 180, beta: 31 };

/** The promise of each stability, in the words of the SDK, the review and the READMEs. All other operations are stable. */
export const STABILITIES = {
  experimental: 'may change or be removed in a minor version',
  beta: `may be removed in a minor version, at least ${NOTICE_DAYS.beta} days after the deprecation`,
};

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s/));
