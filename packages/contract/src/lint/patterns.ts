import { check } from 'recheck';

/** The most steps that an expression may take for one text, in total less than 0.1 s. */
const MOST = 20_000_000;

/** The time for an expression that no proof is found for, in milliseconds. Nearly all take less than 100. */
const TIMEOUT = 2_000;

interface Slow {
  /** The reason, and what to write instead. */
  reason: string;
  /** Whether some text is known to take long. */
  isProven: boolean;
}

/**
 * Whether a client can make a service work for long by a text that a `pattern` is matched with: V8 tries every way to match, and some
 * expressions have one for each pair of characters, or twice as many for each further character.
 *
 * @param pattern - of a schema (ECMAScript, with the flag `u`)
 * @param maxLength - of the same schema. Default: a text is as long as a body may be
 * @returns undefined if the work is linear, or bounded by `maxLength`
 */
export async function slowPattern(pattern: string, maxLength = 65_536): Promise<Slow | undefined> {
  const found = await check(pattern, 'u', { timeout: TIMEOUT });
  if (found.status === 'safe') return undefined;
  const complexity = found.status === 'vulnerable' ? found.complexity : undefined;
  if (complexity?.type === 'polynomial') {
    const { degree } = complexity;
    if (maxLength ** degree <= MOST) return undefined;
    const length = Math.floor(MOST ** (1 / degree));
    const reason = `a text of n characters takes n^${degree} steps: add a maxLength of at most ${length}, or write each repetition so that no character fits into two`;
    return { reason, isProven: true };
  }
  const [doubles, unknown] = [
    'each further character doubles the steps: write no repetition within a repetition that matches the same text',
    'the steps that it takes have no known bound: write a simpler expression',
  ];
  return complexity?.type === 'exponential'
    ? { reason: doubles, isProven: true }
    : { reason: unknown, isProven: false };
}
