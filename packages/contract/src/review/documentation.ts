import { stringify } from 'safe-stable-stringify';
import { describe, kebab } from './describe.ts';
import { type Finding, finding } from './finding.ts';
import type { Places } from './source.ts';

/** Keys that affect only the SDK's JSDoc and the reference. Some extensions have rules of their own. */
const DOCUMENTATION =
  /^(title|summary|description|termsOfService|tags|examples?|externalDocs|xml|contact|license|links|bearerFormat|x-(?!(stability|extensible-enum|environment|rate-limit-plans|deprecated-at|sunset|replaced-by)$).*)$/;

export const isDocumentation = (key: string) => DOCUMENTATION.test(key);

/** The changes of documentation keys. A schema may have several places. */
export function compareDocumentation(old: Places, now: Places): Finding[] {
  const keys = new Set([...old, ...now].flatMap(({ value }) => Object.keys(value ?? {})).filter(isDocumentation));
  return [...keys].flatMap((key) => {
    const at = (places: Places) => places.map((place) => place.at(key)).filter(({ exists }) => exists);
    const [before, after] = [at(old), at(now)];
    const texts = (places: Places) => places.map(({ value }) => stringify(value));
    const place = after.find(({ value }) => !texts(before).includes(stringify(value))) ?? after[0] ?? before[0];
    if (place === undefined || texts(before).join() === texts(after).join()) return [];
    const message = `The ${key} of ${describe(place.parent)} ${/s$/.test(key) ? 'were' : 'was'} changed.`;
    return [finding(`${kebab(key)}-changed`, 'documentation', place, message)];
  });
}
