/** What differs without a finding: either it means the same, or a comparator is wrong. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Place, pointerOf } from './place.ts';
import type { Source } from './source.ts';

type Keys = readonly (string | number)[];

/** The name of a file on both sides, and its paths in base and head. */
type Files = readonly [name: string, base: string, head: string];

const inside = ({ file }: Pick<Source, 'file'>, name: string) => path.relative(path.dirname(file), name);
const nameOf = (source: Pick<Source, 'file'>, name: string) => (name === source.file ? '' : inside(source, name));

/**
 * The largest parts of two normalized contracts that differ and have no finding within or around them. References need not be
 * followed, as what they lead to is a part of its own.
 *
 * @param findings - the places of all findings, and those that were compared with them
 */
export function residueOf(base: Source, head: Source, findings: Iterable<Place>): Place[] {
  const [exact, around] = [new Set<string>(), new Set<string>()];
  for (const { source, file, keys } of findings) {
    const name = nameOf(source, file);
    exact.add(name + pointerOf(keys));
    for (let end = 0; end < keys.length; end += 1) around.add(name + pointerOf(keys.slice(0, end)));
  }
  /** Whether there is a finding in what references of a value lead to, which is compared instead. */
  const isFoundAt = (source: Source, file: string, value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (!('$ref' in value)) return Object.values(value).some((child) => isFoundAt(source, file, child));
    const target = targetOf(source, file, value);
    const id = target && nameOf(source, target.file) + target.pointer;
    return id !== undefined && (exact.has(id) || around.has(id));
  };
  /** The parts of a value, which differ, as keys. */
  const partsOf = (files: Files, keys: Keys, was: unknown, is: unknown): Keys[] => {
    const [file, inBase, inHead] = files;
    if (was === is || isNoChange(keys, was, is)) return [];
    const [old, now] = [was, is].map((value) => (isObject(value) ? value : undefined));
    const isMap = old !== undefined && now !== undefined;
    // A file of parts: each is compared where it is used.
    if (keys.length === 1 && file !== '' && !isMap && isObject(was ?? is) && isParts(base, head, files)) return [];
    if (!isMap && isDeepStrictEqual(was, is)) return [];
    const names = isMap ? [...new Set([...Object.keys(old), ...Object.keys(now)])] : [];
    const parts = names.flatMap((key) => partsOf(files, [...keys, key], old?.[key], now?.[key]));
    if (isMap && parts.length === 0) return [];
    const id = file + pointerOf(keys);
    if (exact.has(id)) return [];
    const isRef = !isMap || old?.$ref !== now?.$ref;
    if (isRef && (isFoundAt(base, inBase, was) || isFoundAt(head, inHead, is))) return [];
    // A list with a finding counts as found: its items have no names. So do the keywords beside one with a finding.
    const isKeyword = !isObject(was ?? is) && keys.length > 2 && around.has(file + pointerOf(keys.slice(0, -1)));
    return around.has(id) || isKeyword ? parts : [keys];
  };
  return base.files.flatMap((name) => {
    const other = path.resolve(path.dirname(head.file), inside(base, name));
    const [file, target] = [nameOf(base, name), name === base.file ? head.file : other];
    if (!head.files.includes(target)) return [];
    const [old, now] = [base.in(name), head.in(target)];
    // At the root of the document, each field by itself.
    for (const keys of [[], ['info'], ['components'], ['paths']]) around.add(file + pointerOf(keys));
    const parts = partsOf([file, name, target], [], old.value, now.value);
    return parts.map((keys) => (now.at(...keys).exists ? now : old).at(...keys));
  });
}

/** Whether a file is no object of OpenAPI itself, but has several by name. */
function isParts(base: Source, head: Source, [, inBase, inHead]: Files): boolean {
  const keys = [base.in(inBase), head.in(inHead)].flatMap(({ value }) => Object.keys(Object(value)));
  return !keys.some((key) =>
    /^(\$ref|type|properties|(all|one|any)Of|enum|const|items|description|content|schema|get|post|put|patch|delete)$/.test(
      key,
    ),
  );
}

function targetOf(source: Source, file: string, value: object): Place | undefined {
  try {
    return new Place(source, file, [], value).target();
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Differences that are no changes by themselves. */
function isNoChange(keys: Keys, was: unknown, is: unknown): boolean {
  const [first, section] = keys;
  const isOnlyIn = was === undefined || is === undefined;
  // The version results from the changes; a component is one where it is used.
  if (/^(openapi|info version)$/.test(keys.slice(0, 2).join(' '))) return true;
  if (first === 'components' && keys.length < 4 && isOnlyIn) return true;
  // Paths are the same whatever the names of their parameters.
  return first === 'paths' && keys.length === 2 && isOnlyIn && String(section).includes('{');
}
