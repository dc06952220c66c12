/** The parts of an OpenAPI document that this module reads. */
export interface OpenApiDocument {
  servers?: { url: string }[];
  paths: Record<string, object>;
}

export interface Referable {
  $ref?: string;
}

export interface ResponseObject extends Referable {
  headers?: Record<string, HeaderObject>;
  content?: Record<string, { schema: object }>;
}

export interface HeaderObject extends Referable {
  required?: boolean;
  schema?: { type?: string };
}

interface ParameterObject extends Referable {
  name: string;
  in: string;
  required?: boolean;
  schema?: { example?: unknown };
  example?: unknown;
}

export interface OperationObject {
  operationId: string;
  deprecated?: boolean;
  parameters?: ParameterObject[];
  requestBody?: Referable & {
    content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, ResponseObject>;
}

/** A path item. Its other keys are methods. */
interface PathItem {
  parameters?: ParameterObject[];
}

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

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** All operations as the document has them. */
export function declaredOperations({ paths }: OpenApiDocument) {
  return Object.entries<PathItem>(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, OperationObject>)[method];
      return operation ? [{ path, method: method.toUpperCase(), shared: item.parameters ?? [], operation }] : [];
    }),
  );
}

/** Follows references to components, whose names need no escape. */
export function resolve<T extends Referable>(document: object, value: T): T {
  if (!value.$ref) return value;
  const names = value.$ref.slice(2).split('/');
  const target = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
  return resolve(document, target as T);
}

/** @throws Error naming a required value that has no example */
export function exampleOperations(document: OpenApiDocument): ExampleOperation[] {
  return declaredOperations(document).map(({ path, method, shared, operation }) => {
    const { operationId: id, parameters: own = [], requestBody } = operation;
    const parameters = [...shared, ...own].map((each) => resolve(document, each));
    const exampleOf = (what: string, example: unknown) => {
      if (example === undefined) throw new Error(`The contract's operation ${id} needs an example of ${what}`);
      return example;
    };
    const examplesIn = (wanted: string) => {
      const chosen = parameters.filter(({ in: place, required }) => required && place === wanted);
      return chosen.map(({ name, example, schema }) => [name, exampleOf(name, example ?? schema?.example)]);
    };
    const query = new URLSearchParams(
      examplesIn('query').map(([name, example]): [string, string] => [`${name}`, `${example}`]),
    );
    const json = requestBody && resolve(document, requestBody).content?.['application/json'];
    const [named] = Object.values(json?.examples ?? {});
    return {
      id,
      method,
      path,
      idempotent: parameters.some(({ name }) => /^idempotency-key$/i.test(name)),
      examples: Object.fromEntries(examplesIn('path')),
      query: query.size > 0 ? `?${query}` : '',
      body: json && exampleOf('the body', json.example ?? named?.value),
    };
  });
}
