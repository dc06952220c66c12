import { ANNOTATION, type Normalized, rebuild, schemaIn } from '../src/index.ts';

/** The invariants of `document.ts` that a normalized document does not keep. */
export function violations({ document, operations, schemas }: Normalized): string[] {
  const found: string[] = [];
  const tell = (message: string, value: unknown) => found.push(`${message}: ${JSON.stringify(value).slice(0, 120)}`);
  rebuild(document, 'document', (one, kind, direction) => {
    if (kind === 'path' && (one.parameters || one.$ref)) tell('a path has parameters', one);
    if (kind !== 'schema' || typeof one !== 'object') return one;
    for (const key of ['nullable', '$id', '$schema', '$anchor', 'definitions'])
      if (key in one) tell(`a schema has ${key}`, one);
    for (const key of ['exclusiveMinimum', 'exclusiveMaximum'])
      if (typeof one[key] === 'boolean') tell('a bound is a boolean', one);
    if (Array.isArray(one.items)) tell('`items` is a list', one);
    if (one.pattern !== undefined) new RegExp(one.pattern, 'u');
    if (one.$ref !== undefined) {
      if (!Object.hasOwn(schemas, schemaIn(one.$ref) ?? '')) tell('a reference leads to no schema', one);
      if (Object.keys(one).some((key) => key !== '$ref' && !ANNOTATION.test(key)))
        tell('a reference has siblings', one);
    }
    for (const [name, field] of Object.entries(Object(one.properties)))
      if (Object(field)[direction === 'request' ? 'readOnly' : 'writeOnly'] === true)
        if (direction === 'request') tell(`${name} is hidden from a ${direction}`, one);
    return one;
  });
  const ids = operations.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) tell('ids repeat', ids);
  for (const { parameters, path } of operations) {
    const keys = parameters.map(({ in: place, name }) => `${place} ${name}`);
    if (new Set(keys).size !== keys.length) tell('parameters repeat', keys);
    for (const [, name] of path.matchAll(/\{([^{}]*)\}/g))
      if (!keys.includes(`path ${name}`)) tell('a path parameter is not declared', path);
  }
  return found;
}
