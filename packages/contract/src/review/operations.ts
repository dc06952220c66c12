import type { Place } from './place.ts';

export interface Operation {
  /** Its operationId, or the method and path. */
  name: string;
  title: string;
  path: string;
  place: Place;
  /** The path item that it is in. */
  item: Place;
  root: Place;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/**
 * The operations of `paths`, `webhooks` or a callback, by method and path: what parameters are called is left out, and
 * so is the expression that a callback is called at.
 */
export function operationsIn(items: Place, root: Place): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, reference] of items.entries()) {
    const item = reference.follow();
    for (const method of METHODS) {
      const place = item.at(method).follow();
      if (!place.exists) continue;
      const title = `${method.toUpperCase()} ${path}`;
      const operation = { name: place.value.operationId ?? title, title, path, place, item, root };
      operations.set(`${method} ${path.replace(/\{[^}]+\}/g, '{}')}`, operation);
    }
  }
  return operations;
}

/** `GET /pets` by the name of the operation, where that is another. */
export function titlesOf(root: Place): [string, string][] {
  const operations = [...operationsIn(root.at('paths'), root).values()];
  return operations.filter(({ name, title }) => name !== title).map(({ name, title }) => [name, title]);
}

/** `{storeId}` and `{petId}` of a path */
export const pathParametersOf = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);

/** Headers that OpenAPI leaves to other parts of the document. */
const IGNORED = ['header accept', 'header content-type', 'header authorization'];

/** The parameters by place and name; those of the path, by their position in it. */
export function parametersOf({ path, place, item }: Operation): Map<string, Place> {
  const inPath = pathParametersOf(path);
  const parameters = new Map<string, Place>();
  for (const reference of [...item.at('parameters').items(), ...place.at('parameters').items()]) {
    const parameter = reference.follow();
    if (!parameter.exists) continue;
    const { in: where, name } = parameter.value;
    const own = where === 'path' ? inPath.indexOf(name) : where === 'header' ? name.toLowerCase() : name;
    if (!IGNORED.includes(`${where} ${own}`)) parameters.set(`${where} ${own}`, parameter);
  }
  return parameters;
}

/** How much is promised, from least to most. */
export const LEVELS = ['experimental', 'beta', 'stable'];

/** An index of {@link LEVELS}. */
export function stabilityOf({ place }: Operation): number {
  const level = LEVELS.indexOf(place.value?.['x-stability'] ?? 'stable');
  return level < 0 ? LEVELS.indexOf('stable') : level;
}
