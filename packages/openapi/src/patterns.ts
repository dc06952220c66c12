/**
 * A pattern as an expression with the flag `u`, which JSON Schema recommends and Ajv uses. Escapes and brackets that only an expression
 * without the flag knows are written out. Undefined if the pattern is no expression of ECMAScript at all.
 */
export function patternOf(written: string): string | undefined {
  if (isValid(written, 'u')) return written;
  if (!isValid(written, '')) return undefined;
  let [text, inClass] = ['', false];
  for (let index = 0; index < written.length; index += 1) {
    const one = written[index] as string;
    if (one === '\\') {
      index += 1;
      const next = written[index] ?? '';
      const isSyntax = /[$^\\.*+?()[\]{}|/]/.test(next) || (inClass && next === '-');
      text += isSyntax || /[A-Za-z0-9]/.test(next) ? `\\${next}` : next;
    } else if (inClass) {
      inClass = one !== ']';
      // `[\w-.]`: a class of characters is no end of a range.
      const isBesideClass = /\\[dDwWsS]$/.test(text) || /^\\[dDwWsS]/.test(written.slice(index + 1));
      text += one === '-' && isBesideClass && written[index + 1] !== ']' ? '\\-' : one;
    } else {
      inClass = one === '[';
      const [quantifier = ''] = /^\{\d+(,\d*)?\}/.exec(written.slice(index)) ?? [];
      text += quantifier || (/[{}\]]/.test(one) ? `\\${one}` : one);
      index += Math.max(0, quantifier.length - 1);
    }
  }
  return isValid(text, 'u') ? text : undefined;
}

function isValid(pattern: string, flags: string): boolean {
  try {
    // It is only parsed.
    // oxlint-disable-next-line no-restricted-globals
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
