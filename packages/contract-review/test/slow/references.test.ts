/** A change of the target of a reference is the change of the object, in each place where the specification allows a reference. */
import { SECTIONS } from '@petstore-platform/openapi';
import { expect, test } from 'vitest';
import { diffContracts } from '../../src/compare.ts';
import { Version } from '../../src/version.ts';
import { Folder } from '../folder.ts';
import { at, FIXTURES, MODEL, objectsIn, REFERABLE } from '../silence.ts';

const folder = new Folder();

type Path = (string | number)[];
type Field = readonly [part: Path, field: string, values: unknown[]];

/** The verdicts on a change of fields within an object, with the object in its place or as a component. */
function verdicts(version: string, kind: string, path: Path, fields: Field[], isMoved: boolean): string[] {
  const [base, head] = [0, 1].map((side) => {
    const document = structuredClone(FIXTURES[version]);
    const [owner, key] = [at(document, path.slice(0, -1)), path.at(-1) as string];
    for (const [part, field, values] of fields) at(owner[key], part)[field] = values[side];
    if (isMoved) {
      const section = SECTIONS[kind] as string;
      const whole = kind === 'path' && version === '3.0' ? 'x-items' : 'components';
      if (whole === 'x-items') document[whole] = { Moved: owner[key] };
      else document.components[section] = { ...document.components[section], Moved: owner[key] };
      owner[key] = { $ref: whole === 'x-items' ? '#/x-items/Moved' : `#/components/${section}/Moved` };
    }
    return new Version(folder.write(`${side}.json`, document));
  }) as [Version, Version];
  return diffContracts(base, head).map(({ impact, rule, operations }) => {
    return `${impact} ${rule} ${operations.map(({ name, message = '' }) => name + message)}`;
  });
}

const TRIED = /^(description|type|required|deprecated|value|operationId|operationRef)$/;

/** Fields of an object; of the first one within it if it has none of its own. */
function fieldsIn(version: string, kind: string, path: Path): Field[] {
  for (const [inner, part] of objectsIn(at(FIXTURES[version], path), kind, [])) {
    const fields = Object.entries(MODEL[inner] ?? {}).flatMap(([field, values]): Field[] =>
      TRIED.test(field) && Array.isArray(values) && values.length > 1 ? [[part, field, values]] : [],
    );
    if (fields.length > 0) return fields;
  }
  return [];
}

/** Each of these fields, with the first object in it that is written in place. */
const PLACES = Object.entries(REFERABLE).flatMap(([version, owners]) =>
  Object.entries(owners).flatMap(([owner, fields]) =>
    fields.split(/\s+/).map((field) => {
      const [, kind = '', isMany] = /^(\w+)(\W*)$/.exec(String(MODEL[owner]?.[field])) ?? [];
      const held = [...objectsIn(FIXTURES[version], 'document', [])].flatMap(([one, where]): Path[] => {
        const value = one === owner ? at(FIXTURES[version], where)[field] : undefined;
        if (value === undefined) return [];
        return isMany ? Object.keys(value).map((key) => [...where, field, key]) : [[...where, field]];
      });
      const path = held.find((one) => at(FIXTURES[version], one).$ref === undefined);
      return { name: `${version}: ${owner}.${field}`, version, kind, path };
    }),
  ),
);

test.each(PLACES)('$name', ({ version, kind, path }) => {
  expect(path, 'the fixture has no such object').toBeDefined();
  const fields = fieldsIn(version, kind, path as Path);
  const isType = ([, field]: Field) => field === 'type';
  // Another type hides what else has changed.
  const groups = [fields.filter(isType), fields.filter((field) => !isType(field))].filter(({ length }) => length > 0);
  const tried = groups.map((group) =>
    [false, true].map((isMoved) => verdicts(version, kind, path as Path, group, isMoved)),
  ) as [string[], string[]][];
  expect(tried.flatMap(([inPlace]) => inPlace)).not.toEqual([]);
  // A component may also change by itself.
  for (const [inPlace, moved] of tried) expect(moved).toEqual(expect.arrayContaining(inPlace));
});
