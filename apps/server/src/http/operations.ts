/** The operations of a contract as the request path needs them. Read from the document that the server is started with. */

/** The part of an OpenAPI 3.1 document that is read here. The lint has checked the rest. */
export interface ContractDocument {
  servers: { url: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  components?: { parameters?: Record<string, ParameterObject> };
}

export interface Operation {
  id: string;
  /** Upper case. */
  method: string;
  /** Whether it only reads (RFC 9110 section 9.2.1). */
  safe: boolean;
  /** As in the contract, without the base path: `/pets/{petId}`. */
  path: string;
  queryParameters: Set<string>;
  headerParameters: string[];
  bodyRequired: boolean;
  deprecation?: Deprecation;
}

export interface Deprecation {
  at: Date;
  sunset: Date;
  replacedBy: { operationId: string; parameters?: Record<string, string> };
}

interface OperationObject {
  operationId: string;
  parameters?: ParameterObject[];
  requestBody?: { required?: boolean };
  deprecated?: boolean;
  'x-deprecated-at'?: string;
  'x-sunset'?: string;
  'x-replaced-by'?: Deprecation['replacedBy'];
}

interface ParameterObject {
  $ref?: string;
  name: string;
  in: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The path that all operations share, from the first server of the contract: `/v1`. */
export function basePathOf(document: ContractDocument): string {
  return new URL(document.servers[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}

/** Whether a path is part of the API, rather than beside it like `/docs`. Its percent-encoding is one that the router took. */
export function isBelow(basePath: string, url: string): boolean {
  const path = decodeURI(url.split(/[?#]/, 1)[0] ?? '');
  return path === basePath || path.startsWith(`${basePath}/`);
}

/** All operations of the contract by operationId. */
export function operationsOf(document: ContractDocument): Map<string, Operation> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) =>
      describe(document, path, method, item as Record<string, OperationObject> & OperationObject),
    ),
  );
  return new Map(operations.map((operation) => [operation.id, operation]));
}

function describe(
  document: ContractDocument,
  path: string,
  method: string,
  item: Record<string, OperationObject> & { parameters?: ParameterObject[] },
): Operation {
  const operation = item[method] as OperationObject;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((entry) =>
    resolve(document, entry),
  );
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    safe: ['get', 'head', 'options', 'trace'].includes(method),
    path,
    queryParameters: new Set(namesIn('query')),
    headerParameters: namesIn('header'),
    bodyRequired: operation.requestBody?.required === true,
    ...(operation.deprecated && { deprecation: deprecationOf(operation) }),
  };
}

function deprecationOf(operation: OperationObject): Deprecation {
  return {
    at: new Date(`${operation['x-deprecated-at']}T00:00:00Z`),
    sunset: new Date(`${operation['x-sunset']}T00:00:00Z`),
    replacedBy: operation['x-replaced-by'] as Deprecation['replacedBy'],
  };
}

/** A parameter, or the component that it refers to. */
function resolve(document: ContractDocument, parameter: ParameterObject): ParameterObject {
  const name = parameter.$ref?.split('/').at(-1) ?? '';
  return document.components?.parameters?.[name] ?? parameter;
}
