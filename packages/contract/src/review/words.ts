import { type Finding, finding } from './finding.ts';
import { describe } from './label.ts';
import type { Place } from './place.ts';
import { canonical } from './schema/shape.ts';

/** Keys that only tell people something. A change of one changes the SDK's JSDoc and the reference. */
const WORDS =
  /^(title|summary|description|termsOfService|tags|examples?|externalDocs|xml|contact|license|links|bearerFormat|\$comment|x-.*)$/;

/** Extensions that have a meaning, which is judged elsewhere. */
const JUDGED = /^x-(stability|extensible-enum|environment|rate-limit-plans|deprecated-at|sunset|replaced-by)$/;

export const isWords = (key: string) => WORDS.test(key) && !JUDGED.test(key);

export const kebab = (keyword: string) => keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What changed in the words of something that stands in several places, as a schema does. */
export function wordsOf(old: readonly Place[], now: readonly Place[]): Finding[] {
  const keysOf = (places: readonly Place[]) =>
    places.flatMap(({ value }) => (typeof value === 'object' && value !== null ? Object.keys(value) : []));
  const keys = new Set([...keysOf(old), ...keysOf(now)].filter(isWords));
  return [...keys].flatMap((key) => {
    const at = (places: readonly Place[]) => places.map((place) => place.at(key)).filter(({ exists }) => exists);
    const [before, after] = [at(old), at(now)];
    const texts = (places: readonly Place[]) => places.map(({ value }) => canonical(value));
    if (texts(before).join() === texts(after).join()) return [];
    const place = after.find(({ value }) => !texts(before).includes(canonical(value))) ?? after[0] ?? before[0];
    if (place === undefined) return [];
    const isObject = typeof place.value === 'object' && !Array.isArray(place.value);
    const verb = isObject && before.length === 0 ? 'added' : isObject && after.length === 0 ? 'removed' : 'changed';
    const thing = key.replace(/^\$/, '');
    return [
      finding(`${kebab(thing)}-${verb}`, 'words', place, `The ${thing} of ${describe(place.parent)} was ${verb}.`),
    ];
  });
}
