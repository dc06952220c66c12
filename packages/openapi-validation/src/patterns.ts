/** Patterns of schemas, matched in time that grows with the text alone. V8 tries every way to match, so a client could keep it busy. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';

export type Matcher = Pick<RegExp, 'test'>;

/** What Ajv matches patterns with. The lint refuses a pattern that is not matched in linear time. */
export const regExp = Object.assign(
  (pattern: string) => {
    // oxlint-disable-next-line no-restricted-globals
    const matcher = linearMatcher(pattern) ?? new RegExp(pattern, 'u');
    return { test: (text: string) => matcher.test(text), toString: () => pattern };
  },
  { code: 'regExp' },
);

/** The most times that V8 may read a text. */
const MAX_READINGS = 64;
/** What repetitions without a limit count as, and those with a higher one. */
const MANY = 1000;
/** No text of V8 is longer. */
const MAX_TEXT_LENGTH = 2 ** 29;

const parser = new RegExpParser();
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
  try {
    const parsed = parser.parsePattern(pattern, 0, pattern.length, { unicode: true });
    // From a fixed start, one unbounded repetition goes through the text once.
    const isAnchored = parsed.alternatives.every(({ elements: [first] }) => first?.raw === '^');
    // The work is bounded.
    // oxlint-disable-next-line no-restricted-globals
    if (triesOf(parsed) <= MAX_READINGS * (isAnchored ? MANY : 1)) return new RegExp(pattern, 'u');
    const all = conditions(parsed);
    return { test: (text) => all.every(({ re, isWanted }) => re.test(text) === isWanted) };
  } catch {
    // RE2 has no such syntax, or a limit for its size.
    return undefined;
  }
}

/** How often V8 tries each part of an expression at one place of a text, at most. */
function triesOf(node: AST.Node): number {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.reduce((sum, one) => sum + triesOf(one), 0);
    case 'Alternative':
      return node.elements.reduce((product, one) => product * triesOf(one), 1);
    case 'Quantifier': {
      const most = Math.min(node.max, MANY);
      return (most + 1) * triesOf(node.element) ** most;
    }
    default:
      return node.type === 'Backreference' || 'alternatives' in node ? Number.POSITIVE_INFINITY : 1;
  }
}

/** Expressions of RE2 that hold together: looking ahead at the start is one of its own. */
function conditions({ alternatives }: AST.Pattern): { re: Matcher; isWanted: boolean }[] {
  const [only, ...others] = alternatives;
  if (!only || others.length > 0) return [{ re: compiled(eitherOf(alternatives)), isWanted: true }];
  // What may be absent at the end changes no match.
  const last = only.elements.findLastIndex((one) => one.type !== 'Quantifier' || one.min > 0);
  const found: ReturnType<typeof conditions> = [];
  let text = '';
  for (const one of only.elements.slice(0, last + 1)) {
    const isAhead = text === '^' && one.type === 'Assertion' && one.kind === 'lookahead';
    if (isAhead) found.push({ re: compiled(`^${eitherOf(one.alternatives)}`), isWanted: !one.negate });
    else text += translated(one);
  }
  return [...found, { re: compiled(text), isWanted: true }];
}

const compiled = (text: string): Matcher => RE2JS.compile(text, RE2JS.LOOKBEHINDS);

const eitherOf = (alternatives: AST.Alternative[]): string =>
  `(?:${alternatives.map(({ elements }) => elements.map(translated).join('')).join('|')})`;

/** An element in the syntax of RE2. Throws if there is none. */
function translated(node: AST.Element): string {
  switch (node.type) {
    case 'Character':
    case 'CharacterSet':
      return `[${charactersOf(node)}]`;
    case 'CharacterClass': {
      const characters = node.elements.map(charactersOf).join('');
      // RE2 has no empty class.
      if (!characters) return node.negate ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
      return `[${node.negate ? '^' : ''}${characters}]`;
    }
    case 'Quantifier':
      return `${translated(node.element)}{${node.min},${node.max < MAX_TEXT_LENGTH ? node.max : ''}}`;
    case 'Group':
    case 'CapturingGroup':
      if ('modifiers' in node && node.modifiers) break;
      return eitherOf(node.alternatives);
    case 'Assertion':
      if (node.kind === 'lookahead') break;
      return node.kind === 'lookbehind' ? `(?<${node.negate ? '!' : '='}${eitherOf(node.alternatives)})` : node.raw;
  }
  throw new Error(`RE2 has no ${node.raw}`);
}

/** Characters in a class of RE2. */
function charactersOf(node: AST.CharacterClassElement | AST.CharacterSet): string {
  if (node.type === 'Character') return hex(node.value);
  if (node.type === 'CharacterClassRange') return `${hex(node.min.value)}-${hex(node.max.value)}`;
  return /^\\[dw]$/i.test(node.raw) ? node.raw : rangesOf(node.raw);
}

const hex = (code: number) => `\\x{${code.toString(16)}}`;

const rangesBySet = new Map<string, string>();

/** The ranges of the characters that V8 knows of an escape or `.`: the versions of Unicode differ. */
function rangesOf(set: string): string {
  let ranges = rangesBySet.get(set) ?? '';
  if (ranges) return ranges;
  // It matches one character.
  // oxlint-disable-next-line no-restricted-globals
  const one = new RegExp(`^${set}$`, 'u');
  let isIn = false;
  for (let code = 0; code <= 0x10ffff; code++) {
    if (one.test(String.fromCodePoint(code)) === isIn) continue;
    ranges += isIn ? `-${hex(code - 1)}` : hex(code);
    isIn = !isIn;
  }
  if (isIn) ranges += `-${hex(0x10ffff)}`;
  rangesBySet.set(set, ranges);
  return ranges;
}
