import type { Rule } from './rule.ts';
import { deprecationDates } from './rules/deprecation-dates.ts';
import { deprecationSuccessor } from './rules/deprecation-successor.ts';
import { int64SafeBounds } from './rules/int64-safe-bounds.ts';
import { operationAuthAndRateLimitResponses } from './rules/operation-auth-and-rate-limit-responses.ts';
import { operationStability } from './rules/operation-stability.ts';

/** The house rules by name; those that need no code stand in `redocly.yaml`. Each has fixtures in `test/lint/fixtures/<name>/`. */
export const rules = {
  'deprecation-dates': deprecationDates,
  'deprecation-successor': deprecationSuccessor,
  'int64-safe-bounds': int64SafeBounds,
  'operation-auth-and-rate-limit-responses': operationAuthAndRateLimitResponses,
  'operation-stability': operationStability,
} satisfies Record<string, Rule>;

/** The Redocly plugin. `extends: petstore/house` turns on all of its rules. */
export default function plugin() {
  const severities = Object.keys(rules).map((name) => [`petstore/${name}`, 'error']);
  return {
    id: 'petstore',
    rules: { oas3: rules },
    configs: { house: { rules: Object.fromEntries(severities) } },
  };
}
