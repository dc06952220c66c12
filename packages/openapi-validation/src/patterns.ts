/** Patterns of schemas, matched in time that grows with the text alone. V8 tries every way to match, so a client could keep it busy. */
import { RE2JS } from 're2js';

export interface Matcher {
  test(text: string): boolean;
}

/** What Ajv matches patterns with. The lint refuses a pattern that is not matched in linear time. */
export const regExp = Object.assign(
  (pattern: string) => {
    // oxlint-disable-next-line no-restricted-globals
    const matcher = linearMatcher(pattern) ?? new RegExp(pattern, 'u');
    return { test: (text: string) => matcher.test(text), toString: () => pattern };
  },
  { code: 'regExp' },
);

/** The escapes, groups, quantifiers and characters of an expression with the flag `u`. */
const TOKENS =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89aAbB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|k<[^>]*>|.)|\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\{\d+(?:,\d*)?\}|./gsu;

/** An unbounded text: no text of V8 is longer. */
const MAX_TEXT_LENGTH = 2 ** 29;
/** The most times that V8 may read a text. */
const MAX_READINGS = 64;

const matchers = new Map<string, Matcher | undefined>();

/**
 * A matcher with the meaning of ECMAScript, in linear time: V8 for an expression that has few ways to match, and RE2 for others.
 *
 * @param pattern - a valid expression with the flag `u`
 * @returns undefined if neither can match it: it has a backreference, or looks ahead in its middle
 */
export function linearMatcher(pattern: string): Matcher | undefined {
  if (!matchers.has(pattern)) matchers.set(pattern, matcherOf(pattern));
  return matchers.get(pattern);
}

function matcherOf(pattern: string): Matcher | undefined {
  // The work is bounded.
  // oxlint-disable-next-line no-restricted-globals
  if (readings(pattern) <= MAX_READINGS) return new RegExp(pattern, 'u');
  const all = conditions(pattern.match(TOKENS) ?? []).map(({ tokens, isWanted }) => {
    const text = translated(tokens);
    return { re: text === undefined ? undefined : compiled(text), isWanted };
  });
  if (!all.every(({ re }) => re)) return undefined;
  const [only, ...others] = all;
  if (only?.re && others.length === 0) return only.re;
  return { test: (text) => all.every(({ re, isWanted }) => re?.test(text) === isWanted) };
}

function compiled(text: string): Matcher | undefined {
  try {
    return RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  } catch {
    // RE2 has a limit for its size.
    return undefined;
  }
}

/** How often V8 reads a text at most, for an expression without groups and alternatives; more than can be for any other. */
function readings(pattern: string): number {
  // The pattern is that of the contract, not of a client.
  // oxlint-disable-next-line redos/no-vulnerable
  const plain = pattern.replace(/\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]/gsu, 'x');
  if (/[(|]|\{\d{4,}[},]/.test(plain)) return Number.POSITIVE_INFINITY;
  // oxlint-disable-next-line redos/no-vulnerable
  const ways = [...plain.matchAll(/[*+?]|\{(\d+)(,?)(\d*)\}/g)].map(([text, least, comma, most]) => {
    if (text === '?' || comma === '') return text === '?' ? 2 : 1;
    return most ? Number(most) - Number(least) + 1 : Number.POSITIVE_INFINITY;
  });
  const sorted = ways.sort((one, other) => one - other);
  // From a fixed start, the longest repetition goes through the text once.
  const counted = plain.startsWith('^') ? sorted.slice(0, -1) : sorted;
  return counted.reduce((product, one) => product * one, 1);
}

/** An expression as some that hold together: looking ahead at its start is one of its own. */
function conditions(tokens: string[]): { tokens: string[]; isWanted: boolean }[] {
  const ends = closings(tokens);
  const found: ReturnType<typeof conditions> = [];
  if (!ends) return [{ tokens, isWanted: true }];
  // A group at the end that may be absent changes no match.
  const optional = /^[*?]$/.test(tokens.at(-1) ?? '') && [...ends].find(([, end]) => end === tokens.length - 2);
  if (optional) return conditions(tokens.slice(0, optional[0]));
  let start = 1;
  for (let end = ends.get(start); tokens[0] === '^' && /^\(\?[=!]$/.test(tokens[start] ?? ''); end = ends.get(start)) {
    const inner = tokens.slice(start + 1, end);
    found.push({ tokens: ['^', '(?:', ...inner, ')'], isWanted: tokens[start] === '(?=' });
    start = (end ?? start) + 1;
  }
  return [...found, { tokens: [...tokens.slice(0, 1), ...tokens.slice(start)], isWanted: true }];
}

/** The ends of the outermost groups by their starts. Undefined with alternatives beside them. */
function closings(tokens: string[]): Map<number, number> | undefined {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let isInClass = false;
  for (const [index, token] of tokens.entries()) {
    if (isInClass || token === '[') isInClass = token !== ']';
    else if (token.startsWith('(')) open.push(index);
    else if (token === '|' && open.length === 0) return undefined;
    else if (token === ')') {
      const start = open.pop() ?? 0;
      if (open.length === 0) ends.set(start, index);
    }
  }
  return ends;
}

/** An expression in the syntax of RE2. Undefined if it has none. */
function translated(tokens: string[]): string | undefined {
  let [text, start] = ['', -1];
  for (const token of tokens) {
    const isInClass = start >= 0;
    if (isInClass && token === ']') {
      const none = text.slice(start);
      // A class of no characters, or of all, is no syntax of RE2.
      if (none === '[' || none === '[^') text = `${text.slice(0, start)}[${none === '[' ? '^' : ''}\\x{0}-\\x{10FFFF}`;
      text += ']';
      start = -1;
      continue;
    }
    if (!isInClass && token === '[') start = text.length;
    const written = isInClass ? inClass(token) : outside(token);
    if (written === undefined) return undefined;
    text += written;
  }
  return text;
}

const inClass = (token: string): string | undefined =>
  token === '\\b' ? '\\x{8}' : token === '[' ? '\\[' : /^\\[sSpP]/.test(token) ? charactersOf(token) : escaped(token);

function outside(token: string): string | undefined {
  if (token === '.' || /^\\[sSpP]/.test(token)) return `[${charactersOf(token)}]`;
  // Nobody reads groups, and what looks behind has none.
  if (token === '(' || /^\(\?<[^=!]/.test(token)) return '(?:';
  if (token.startsWith('(')) return /^\(\?(:|<[=!])$/.test(token) ? token : undefined;
  const [, least = '', most] = /^\{(\d+),(\d+)\}$/.exec(token) ?? [];
  return most !== undefined && Number(most) >= MAX_TEXT_LENGTH ? `{${least},}` : escaped(token);
}

/** A token that means one character, or the same in both. Undefined for a reference to a group, and half a character. */
function escaped(token: string): string | undefined {
  const [, letter = ''] = token;
  if (!token.startsWith('\\')) return token;
  if (/[1-9k]/.test(letter)) return undefined;
  if (letter === '0') return '\\x{0}';
  if (letter === 'c') return `\\x{${((token.codePointAt(2) ?? 0) % 32).toString(16)}}`;
  if (letter !== 'u') return token;
  const [high = 0, low] = (token.slice(2).match(/[\dA-Fa-f]+/g) ?? []).map((code) => Number.parseInt(code, 16));
  const code = low === undefined ? high : (high - 0xd800) * 0x400 + low - 0xdc00 + 0x10000;
  return isHalf(code) ? undefined : `\\x{${code.toString(16)}}`;
}

/** Whether a code point is a surrogate, which is half a character. */
const isHalf = (code: number) => code >= 0xd800 && code <= 0xdfff;

const ranges = new Map<string, string>();

/** The ranges of the characters that an escape or `.` matches, as V8 knows them: the versions of Unicode differ. */
function charactersOf(token: string): string {
  const found = ranges.get(token) ?? rangesOf(token);
  ranges.set(token, found);
  return found;
}

function rangesOf(token: string): string {
  // It matches one character.
  // oxlint-disable-next-line no-restricted-globals
  const one = new RegExp(`^${token}$`, 'u');
  let [ranges, start] = ['', -1];
  for (let code = 0; code <= 0x110000; code++) {
    const isIn = code < 0x110000 && (isHalf(code) ? start >= 0 : one.test(String.fromCodePoint(code)));
    if (isIn && start < 0) start = code;
    if (isIn || start < 0) continue;
    ranges += `\\x{${start.toString(16)}}-\\x{${(code - 1).toString(16)}}`;
    start = -1;
  }
  return ranges;
}
