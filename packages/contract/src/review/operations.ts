import { METHODS } from '../contract.ts';
import { compareEntry, compareFlag, type Finding, finding } from './finding.ts';
import type { Place } from './source.ts';

/** An operation as written in a contract. */
export type Endpoint = ReturnType<typeof endpoint>;

function endpoint(kind: string, path: string, method: string, reference: Place, item: Place, place: Place) {
  const title = `${kind}${method.toUpperCase()} ${path}`;
  return { name: String(place.value.operationId ?? title), title, path, reference, item, place };
}

/** The operations of a contract, by method and path without the names of path parameters. */
export const operationsIn = (root: Place) => endpointsIn(root.at('paths'));

/** @param kind - such as `webhook`, whose name or expression has no path parameters */
export function endpointsIn(items: Place, kind?: string): Map<string, Endpoint> {
  const operations = new Map<string, Endpoint>();
  for (const [path, reference] of items.entries()) {
    if (path.startsWith('x-')) continue;
    const item = reference.follow();
    for (const method of METHODS) {
      const place = item.at(method).follow();
      if (!place.exists) continue;
      const key = `${method} ${kind ? path : path.replace(/\{[^{}]+\}/g, '{}')}`;
      operations.set(
        operations.has(key) ? `${method} ${path}` : key,
        endpoint(kind ? `${kind} ` : '', path, method, reference, item, place),
      );
    }
  }
  return operations;
}

const pathParametersOf = (path: string) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);

/** Headers that OpenAPI describes elsewhere; as parameters they are ignored. */
const IGNORED = ['header accept', 'header content-type', 'header authorization'];

/** The parameters by location and name; path parameters by position. */
export function parametersOf({ path, place, item }: Endpoint): Map<string, Place> {
  const inPath = pathParametersOf(path);
  const parameters = new Map<string, Place>();
  for (const reference of [...item.at('parameters').items(), ...place.at('parameters').items()]) {
    const parameter = reference.follow();
    if (!parameter.exists) continue;
    const { in: where, name } = parameter.value;
    const own = where === 'path' ? inPath.indexOf(name) : where === 'header' ? String(name).toLowerCase() : name;
    if (!IGNORED.includes(`${where} ${own}`)) parameters.set(`${where} ${own}`, parameter);
  }
  return parameters;
}

export const LEVELS = ['stable', 'beta', 'experimental'];

/** An index of {@link LEVELS}. An invalid one counts as stable. */
export const stabilityOf = ({ place }: Endpoint) => Math.max(0, LEVELS.indexOf(place.value['x-stability']));

export function* compareIdentity(old: Endpoint, now: Endpoint): Generator<Finding> {
  const [before, after] = [old.place, now.place];
  const name = `\`${now.name}\``;
  const [oldId, newId] = [before.at('operationId'), after.at('operationId')];
  const renamed = `\`${oldId.value}\` is now called \`${newId.value}\`: the SDK's method is renamed.`;
  const text = oldId.exists && newId.exists ? renamed : undefined;
  yield* compareEntry('operation-id', `The operationId of \`${now.title}\``, oldId, newId, undefined, text);
  const names = pathParametersOf(now.path);
  for (const [index, parameter] of pathParametersOf(old.path).entries()) {
    const message = `The path parameter \`${parameter}\` is now called \`${names[index]}\`: the SDK's argument is renamed.`;
    if (parameter !== names[index]) yield finding('path-parameter-renamed', 'changed', now.item, message, parameter);
  }
  yield* compareFlag('deprecated', [before], [after], 'operation-');
  const isKept = before.value.deprecated && after.value.deprecated;
  for (const key of isKept ? ['deprecated-at', 'sunset', 'replaced-by'] : []) {
    const [was, is] = [before.at(`x-${key}`), after.at(`x-${key}`)];
    yield* compareEntry(key, `\`x-${key}\` of ${name}`, was, is, 'documentation');
  }
  const [was, is] = [stabilityOf(old), stabilityOf(now)];
  const [verb, effect] = is > was ? (['decreased', 'changed'] as const) : (['increased', 'compatible'] as const);
  const at = [after, before].map((place) => place.at('x-stability')).find(({ exists }) => exists);
  if (at && was !== is)
    yield finding(`stability-${verb}`, effect, at, `${name} is ${LEVELS[is]}; it was ${LEVELS[was]}.`);
}
