import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Validates responses against the contract, body schema and required headers, and lists its operations. */

interface HeaderObject {
  $ref?: string;
  required?: boolean;
  schema?: { type: string };
}

interface ResponseObject {
  $ref?: string;
  headers?: Record<string, HeaderObject>;
}

interface ParameterObject {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: { example?: unknown };
  example?: unknown;
}

interface OperationObject {
  operationId: string;
  parameters?: ParameterObject[];
  requestBody?: {
    $ref?: string;
    content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
}

/** Its other keys are methods. */
interface PathItem {
  parameters?: ParameterObject[];
}

/** An operation, with the examples of the contract. */
export interface Operation {
  id: string;
  /** Upper case. */
  method: string;
  /** Below `/v1`, with its parameters in braces. */
  path: string;
  /** Whether it declares `Idempotency-Key`. */
  idempotent: boolean;
  /** Of its path parameters, by name. */
  examples: Record<string, unknown>;
  /** Its required query parameters, such as `?limit=20`. Empty without any. */
  query: string;
  /** Undefined if it takes none. */
  body: unknown;
}

// As the server has it: openapi/petstore.yaml with what the platform does for every operation.
const generated = new URL('../../../apps/server/src/generated/document.ts', import.meta.url);
const { document } = await import(generated.href);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'contract');

/** Whether a path matches a template such as `/v1/pets/{petId}`. */
function matches(template: string, pathname: string): boolean {
  const [parts, given] = [template.split('/'), pathname.split('/')];
  const isMatch = (part: string, index: number) =>
    part === given[index] || (part.startsWith('{') && given[index] !== '');
  return parts.length === given.length && parts.every(isMatch);
}

/** JSON pointer to the response that the contract declares. */
function declared(method: string, pathname: string, status: number): string | undefined {
  for (const [template, item] of Object.entries<Record<string, unknown>>(document.paths)) {
    const operation = item[method.toLowerCase()] as { responses: Record<string, ResponseObject> } | undefined;
    if (!operation || !matches(`/v1${template}`, pathname)) continue;
    const key = operation.responses[status] ? String(status) : 'default';
    const response = operation.responses[key];
    if (!response) throw new Error(`${method} ${pathname}: ${status} is not declared`);
    return (
      response.$ref?.slice(1) ?? `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${key}`
    );
  }
  return undefined;
}

/** JSON pointer to the response of unknown paths and methods below `/v1`. */
function undeclared(pathname: string, status: number): string | undefined {
  return status >= 400 && /^\/v1(\/|$)/.test(pathname) ? '/components/responses/OtherFailure' : undefined;
}

function lookup<T>(pointer: string): T {
  const segments = pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/'));
  return segments.reduce<unknown>((node, segment) => (node as Record<string, unknown>)[segment], document) as T;
}

const resolve = <T extends { $ref?: string }>(value: T): T => (value.$ref ? lookup<T>(value.$ref.slice(1)) : value);

/**
 * All operations of the contract.
 *
 * @throws Error naming what has no example
 */
export function operations(): Operation[] {
  return Object.entries<PathItem>(document.paths).flatMap(([path, { parameters: shared = [], ...item }]) =>
    Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => {
      const { operationId: id, parameters: own = [], requestBody } = operation;
      const parameters = [...shared, ...own].map(resolve);
      const exampleOf = (what: string, example: unknown) => {
        if (example === undefined) throw new Error(`openapi/petstore.yaml: ${what} of ${id} needs an example`);
        return example;
      };
      const examplesIn = (wanted: string) => {
        const chosen = parameters.filter(({ in: place, required }) => required && place === wanted);
        return chosen.map(({ name, example, schema }) => [name, exampleOf(name, example ?? schema?.example)]);
      };
      const query = new URLSearchParams(
        examplesIn('query').map(([name, example]): [string, string] => [`${name}`, `${example}`]),
      );
      const json = requestBody && resolve(requestBody).content?.['application/json'];
      const [named] = Object.values(json?.examples ?? {});
      return {
        id,
        method: method.toUpperCase(),
        path,
        idempotent: parameters.some(({ name }) => /^idempotency-key$/i.test(name)),
        examples: Object.fromEntries(examplesIn('path')),
        query: query.size > 0 ? `?${query}` : '',
        body: json && exampleOf('the body', json.example ?? named?.value),
      };
    }),
  );
}

/**
 * Validates a response against the contract. Outside its operations, only errors are checked, for the Error body.
 *
 * @throws Error naming the difference
 */
export function expectContract(
  method: string,
  url: string,
  response: { status: number; headers: Headers },
  body: string,
): void {
  // The path as sent: `new URL` would resolve `..`, the server does not.
  const pathname = url.startsWith('/') ? (url.split(/[?#]/, 1)[0] as string) : new URL(url).pathname;
  const where = `${method} ${pathname} ${response.status}`;
  const operationMethod = method === 'HEAD' ? 'GET' : method;
  const pointer = declared(operationMethod, pathname, response.status) ?? undeclared(pathname, response.status);
  if (pointer) {
    for (const [name, entry] of Object.entries(lookup<ResponseObject>(pointer).headers ?? {})) {
      const { required, schema } = resolve(entry);
      const value = response.headers.get(name);
      if (value === null && required) throw new Error(`${where}: header ${name} is missing`);
      if (value !== null && schema?.type === 'integer' && !/^\d+$/.test(value)) {
        throw new Error(`${where}: header ${name} is ${value}`);
      }
    }
  }
  // No body, or outside the API.
  if (method === 'HEAD' || (!pointer && response.status < 400)) return;
  const schema = pointer ? `${pointer}/content/application~1json/schema` : '/components/schemas/Error';
  if (response.status === 204) return;
  const mediaType = response.headers.get('Content-Type') ?? 'none';
  if (!/^application\/json(;|$)/.test(mediaType)) throw new Error(`${where}: the Content-Type is ${mediaType}`);
  const value: unknown = JSON.parse(body);
  const validate = ajv.getSchema(`contract#${schema}`) ?? ajv.compile({ $ref: `contract#${schema}` });
  if (!validate(value)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${body}`);
  if (response.status >= 400 && (value as { status: number }).status !== response.status) {
    throw new Error(`${where}: the body says ${body}`);
  }
}

/** `fetch` that validates every response against the contract. */
export const checkedFetch = async (input: string | Request, init?: RequestInit): Promise<Response> => {
  const request = new Request(input, init);
  const response = await fetch(request);
  expectContract(request.method, request.url, response, await response.clone().text());
  return response;
};
