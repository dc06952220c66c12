import type { Operation } from '@petstore-platform/openapi';

/** An operation, with the examples of the contract. */
export interface ExampleOperation {
  id: string;
  /** The HTTP method in upper case. */
  method: string;
  /** The path below the base path, with its parameters in braces. */
  path: string;
  /** Whether it declares `Idempotency-Key`. */
  idempotent: boolean;
  /** Examples of its path parameters, by name. */
  examples: Record<string, unknown>;
  /** The required query parameters, such as `?limit=20`; empty without any. */
  query: string;
  /** The example of its body; undefined if it takes none. */
  body: unknown;
}

/** @throws Error naming a required value that has no example */
export function exampleOf({ id, method, path, parameters, body }: Operation): ExampleOperation {
  const given = (what: string, example: unknown) => {
    if (example === undefined) throw new Error(`The contract's operation ${id} needs an example of ${what}`);
    return example;
  };
  const examplesIn = (wanted: string) => {
    const chosen = parameters.filter(({ in: place, required }) => required && place === wanted);
    return chosen.map(({ name, example, schema }) => [name, given(name, example ?? schema.example)]);
  };
  const query = new URLSearchParams(
    examplesIn('query').map(([name, example]): [string, string] => [`${name}`, `${example}`]),
  );
  const json = body?.content['application/json'];
  return {
    id,
    method: method.toUpperCase(),
    path,
    idempotent: parameters.some(({ name }) => /^idempotency-key$/i.test(name)),
    examples: Object.fromEntries(examplesIn('path')),
    query: query.size > 0 ? `?${query}` : '',
    body: json && given('the body', json.example),
  };
}
