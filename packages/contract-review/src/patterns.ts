/** Expressions of contracts, which anybody may have written. */
import { createContext, Script } from 'node:vm';
import { patternOf } from '@petstore-platform/openapi';

const SCRIPT = new Script('new RegExp(pattern, "u").test(text)');
const context = createContext(Object.create(null));
const results = new Map<string, boolean>();

/** Whether an expression matches a text. One that takes too long, or is invalid, counts as matching. */
export function matches(pattern: string, text: string): boolean {
  const key = JSON.stringify([pattern, text]);
  if (!results.has(key)) results.set(key, run(patternOf(pattern) ?? pattern, text));
  return results.get(key) as boolean;
}

function run(pattern: string, text: string): boolean {
  try {
    // `vm` can stop an expression that backtracks.
    return SCRIPT.runInContext(Object.assign(context, { pattern, text }), { timeout: 200 }) === true;
  } catch {
    return true;
  }
}
