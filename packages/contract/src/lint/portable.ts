import type { LocationObject, Oas3Rule } from '@redocly/openapi-core';

/** The parts of an expression that need a look. Classes are counted to know what is inside of one. */
const PARTS = /\\(?:[pP]\{[^}]*\}|k<[^>]*>|u\{[^}]*\}|u[0-9A-Fa-f]{4}|.)|\(\?(?:<?[=!]|<|:)|[[\]]/gsu;

const CLASSES: Record<string, string> = { d: '0-9', w: 'A-Za-z0-9_', s: ' \\t\\r\\n' };

/**
 * The parts of a pattern that other languages read otherwise, or not at all, each with what to write instead. JSON Schema recommends what
 * all of them read alike (draft 2020-12, section 6.4): characters, classes, quantifiers, anchors, groups and alternatives.
 */
export function notPortable(pattern: string): [part: string, advice: string][] {
  let isInClass = false;
  const found = new Map<string, string>();
  for (const [part] of pattern.matchAll(PARTS)) {
    const advice = adviceOn(part, isInClass);
    if (part === '[') isInClass = true;
    if (part === ']') isInClass = false;
    if (advice) found.set(part, advice);
  }
  return [...found];
}

function adviceOn(part: string, isInClass: boolean): string | undefined {
  const [start, letter = ''] = part;
  if (part === '[') return isInClass ? 'in Java and Rust, it begins a class within the class: write `\\[`' : undefined;
  if (start !== '\\') {
    if (part === '(?<') return 'not every language has named groups: write `(`';
    return /[=!]$/.test(part) ? 'Go and Rust have none: combine schemas by `allOf` and `not`' : undefined;
  }
  const ascii = CLASSES[letter.toLowerCase()];
  if (ascii) {
    const isNegative = letter < 'a';
    const instead = isNegative || !isInClass ? `[${isNegative ? '^' : ''}${ascii}]` : ascii;
    return `in Python and Rust, it has the characters of all scripts: write \`${instead}\``;
  }
  if (/[bB]/.test(letter)) return 'Python and Rust know letters of other scripts, too: name the characters around it';
  if (/[1-9k]/.test(letter)) return 'Go and Rust have no references to a group: name what it may be';
  if (/[pP]/.test(letter)) return 'Python has no such classes: name the ranges of characters';
  if (/[uc0]/.test(letter))
    return 'Go has no such escape: write the character itself. NUL and lone surrogates are refused in every text already';
  return undefined;
}

/** Advises that the patterns of a contract can be read by programs in other languages. */
export const portable: Oas3Rule = () => ({
  Schema(schema, { location, report }) {
    const { pattern, patternProperties } = Object(schema) as { pattern?: unknown; patternProperties?: object };
    const tell = (text: string, at: LocationObject) => {
      for (const [part, advice] of notPortable(text))
        report({ message: `\`${part}\` is not portable: ${advice}.`, location: at });
    };
    if (typeof pattern === 'string') tell(pattern, location.child('pattern'));
    for (const name of Object.keys(patternProperties ?? {}))
      tell(name, location.child(['patternProperties', name]).key());
  },
});
