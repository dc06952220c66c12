/** Each object in the place of which the specification allows a Reference Object: a change of its target is the change of the object. */
import { kindIn, SECTIONS } from '@petstore-platform/openapi';
import { expect, test } from 'vitest';
import { diffContracts } from '../src/compare.ts';
import { Version } from '../src/version.ts';
import { Folder } from './folder.ts';
import { at, FIXTURES, MODEL, objectsIn } from './silence.ts';

const folder = new Folder();

type Path = (string | number)[];
type Place = readonly [version: string, kind: string, path: Path];
type Field = readonly [part: Path, field: string, values: unknown[]];

/** The verdicts on a change of a field within an object, with the object in its place or as a component. */
function verdicts([version, kind, path]: Place, [part, field, values]: Field, isMoved: boolean): string[] {
  const [base, head] = values.slice(0, 2).map((value, side) => {
    const document = structuredClone(FIXTURES[version]);
    const [owner, key] = [at(document, path.slice(0, -1)), path.at(-1) as string];
    at(owner[key], part)[field] = value;
    if (isMoved) {
      const section = SECTIONS[kind] as string;
      document.components[section] = { ...document.components[section], Moved: owner[key] };
      owner[key] = { $ref: `#/components/${section}/Moved` };
    }
    return new Version(folder.write(`${side}.json`, document));
  }) as [Version, Version];
  return diffContracts(base, head).map(({ impact, rule, operations }) => {
    return `${impact} ${rule} ${operations.map(({ name, message = '' }) => name + message)}`;
  });
}

const TRIED = /^(description|type|required|deprecated|value|operationId)$/;

/** Fields of an object; of the first one within it if it has none of its own. */
function fieldsIn([version, kind, path]: Place): Field[] {
  for (const [inner, part] of objectsIn(at(FIXTURES[version], path), kind, [])) {
    const fields = Object.entries(MODEL[inner] ?? {}).flatMap(([field, values]): Field[] =>
      TRIED.test(field) && Array.isArray(values) && values.length > 1 ? [[part, field, values]] : [],
    );
    if (fields.length > 0) return fields;
  }
  return [];
}

/** The first object in each field that holds a kind, but not as a component. Security requirements name schemes. */
const PLACES = ['3.0', '3.2'].flatMap((version) => {
  const found = new Map<string, Place>();
  for (const [kind, path] of objectsIn(FIXTURES[version], 'document', [])) {
    const isReferable = Object.hasOwn(SECTIONS, kind) && kind !== 'scheme' && (version !== '3.0' || kind !== 'media');
    const where = path.filter((key) => typeof key === 'string' && kindIn(kind, key) === undefined).at(-1);
    const key = `${kind} in ${where === path.at(-1) ? path.at(-2) : path.at(-1)}`;
    const isWritten = at(FIXTURES[version], path).$ref === undefined;
    if (isReferable && path[0] !== 'components' && isWritten && !found.has(key)) found.set(key, [version, kind, path]);
  }
  return [...found.values()];
});

test('all kinds are tried', () => {
  const kinds = Object.keys(SECTIONS).filter((kind) => kind !== 'scheme');
  expect(new Set(PLACES.map(([, kind]) => kind))).toEqual(new Set(kinds));
});

test.each(PLACES)('%s: a %s', (...place) => {
  const tried = fieldsIn(place).map((field) => [verdicts(place, field, false), verdicts(place, field, true)] as const);
  expect(tried.flatMap(([inPlace]) => inPlace)).not.toEqual([]);
  // A component may also change by itself.
  for (const [inPlace, moved] of tried) expect(moved).toEqual(expect.arrayContaining(inPlace));
});
