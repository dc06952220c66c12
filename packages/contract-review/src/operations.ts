import { isObject, METHODS, type Place } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { compareEntry, compareFlag, type Finding, finding } from './finding.ts';
import { code } from './words.ts';

type Ids = ReadonlySet<unknown>;

export type Endpoint = ReturnType<typeof endpoint>;

function endpoint(kind: string, path: string, method: string, item: Place, place: Place) {
  const title = `${kind}${method.toUpperCase()} ${path}`;
  return { name: String(place.value.operationId ?? title), title, path, item, place };
}

/** The operations of a contract, by method and path without the names of path parameters. */
export const operationsIn = (root: Place) => endpointsIn(root.at('paths'));

/** @param kind - the kind of hook, such as `webhook`, whose name or expression has no path parameters. Default: operations */
export function endpointsIn(items: Place, kind?: string): Map<string, Endpoint> {
  const operations = new Map<string, Endpoint>();
  for (const [path, item] of items.entries()) {
    if (path.startsWith('x-')) continue;
    const others = item.at('additionalOperations').entries();
    for (const [method, place] of [...METHODS.map((name) => [name, item.at(name)] as const), ...others]) {
      if (!isObject(place.value)) continue;
      const key = `${method} ${kind ? path : path.replace(/\{[^{}]+\}/g, '{}')}`;
      operations.set(
        operations.has(key) ? `${method} ${path}` : key,
        endpoint(kind ? `${kind} ` : '', path, method, item, place),
      );
    }
  }
  return operations;
}

/** The new keys of moved operations by the old ones. An operation has the same operationId, or without one is equal. */
export function movesIn(before: Endpoints, after: Endpoints): Map<string, string> {
  const only = (some: Endpoints, others: Endpoints) => [...some].filter(([key]) => !others.has(key));
  const identityOf = ({ place: { value } }: Endpoint) => value.operationId ?? stringify(value);
  const moves = new Map<string, string>();
  const gained = new Map(only(after, before));
  for (const [key, old] of only(before, after)) {
    const [to] = [...gained].find(([, now]) => identityOf(old) === identityOf(now)) ?? [];
    if (to === undefined) continue;
    moves.set(key, to);
    gained.delete(to);
  }
  return moves;
}

export type Endpoints = ReadonlyMap<string, Endpoint>;

const pathParametersOf = (path: string) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);

/** The parameters by location and name; path parameters by position. */
export function parametersOf({ path, place }: Endpoint): Map<string, Place> {
  const inPath = pathParametersOf(path);
  const parameters = new Map<string, Place>();
  for (const reference of place.at('parameters').items()) {
    const parameter = reference.follow();
    const { in: where, name } = parameter.value;
    const id = where === 'path' ? inPath.indexOf(name) : where === 'header' ? String(name).toLowerCase() : name;
    parameters.set(`${where} ${id}`, parameter);
  }
  return parameters;
}

export const LEVELS = ['stable', 'beta', 'experimental'];

/** The stability of an operation as an index of {@link LEVELS}. An invalid one counts as stable. */
export const stabilityOf = ({ place }: Endpoint) => Math.max(0, LEVELS.indexOf(place.value['x-stability']));

export function* compareIdentity(old: Endpoint, now: Endpoint, ids: readonly [Ids, Ids]): Generator<Finding> {
  const [before, after] = [old.place, now.place];
  const name = code(now.name);
  const [oldId, newId] = [before.at('operationId'), after.at('operationId')];
  const isReassigned = oldId.value !== newId.value && ids[0].has(newId.value) && ids[1].has(oldId.value);
  const reassigned = `${code(newId.value)} is now ${code(now.title)}: old calls compile, and reach another operation.`;
  const renamed = `${code(oldId.value)} is now called ${code(newId.value)}: the SDK's method is renamed.`;
  const text = oldId.exists && newId.exists ? renamed : undefined;
  if (isReassigned) yield finding('operation-id-reassigned', 'changed', newId, reassigned);
  else yield* compareEntry('operation-id', `The operationId of ${code(now.title)}`, oldId, newId, undefined, text);
  const [was, is] = [pathParametersOf(old.path), pathParametersOf(now.path)];
  for (const [index, parameter] of was.entries()) {
    if (parameter === is[index] || is[index] === undefined) continue;
    const [one, other] = [code(parameter), code(is[index])];
    const isSwapped = was.includes(is[index]) && is.includes(parameter);
    const message = isSwapped
      ? `The path parameter ${one} swapped places with another: old calls compile, and reach another resource.`
      : `The path parameter ${one} is now called ${other}: the SDK's argument is renamed.`;
    yield finding(`path-parameter${isSwapped ? 's-swapped' : '-renamed'}`, 'changed', now.item, message, parameter);
  }
  yield* compareFlag('deprecated', [before], [after], 'operation-');
  const isKept = before.value.deprecated && after.value.deprecated;
  for (const key of isKept ? ['deprecated-at', 'sunset', 'replaced-by'] : [])
    yield* compareEntry(key, `\`x-${key}\` of ${name}`, before.at(`x-${key}`), after.at(`x-${key}`), 'documentation');
  const [level, newLevel] = [stabilityOf(old), stabilityOf(now)];
  const [marked = after] = [after, before].map((place) => place.at('x-stability')).filter(({ exists }) => exists);
  const message = `${name} is ${LEVELS[newLevel]}; it was ${LEVELS[level]}.`;
  if (newLevel > level) yield finding('stability-decreased', 'changed', marked, message);
  if (newLevel < level) yield finding('stability-increased', 'compatible', marked, message);
}
