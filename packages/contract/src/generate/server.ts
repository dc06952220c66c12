import type { Document, Operation } from '../contract.ts';
import { comment, operationDoc } from './jsdoc.ts';
import { bodyType, pascalCase, property, schemas, type TypeAt } from './names.ts';
import { referenceDocument } from './reference.ts';
import { typesIn } from './schema.ts';

/**
 * `@petstore/server`: what each handler receives and may answer, and the interface that all of them form.
 *
 * @param schema - the contract's types as openapi-typescript writes them
 */
export function serverOperations(document: Document, operations: Operation[], schema: string): string {
  const typeAt = typesIn(schema);
  return [
    `import type { JsonText } from '../json-text.ts';\n`,
    ...schemas(typeAt, document),
    ...operations.flatMap((operation) => [requestType(typeAt, operation), responseType(typeAt, operation)]),
    comment(
      'One handler per operation of the contract. A failure is thrown as an `ApiError`.\n\n' +
        '@typeParam Context - what the server gives to every handler besides the request',
    ),
    `export interface Handlers<Context> {\n${operations.map(handler).join('\n\n')}\n}\n`,
  ].join('\n');
}

/** The requests that each plan allows, for the limiter and for `keys create`. */
export function planLimits(document: Document): string {
  const plans = document['x-rate-limit-plans'] ?? {};
  return [
    comment('Requests per UTC minute and per UTC day. `null`: the number is stored with the key.'),
    `export const plans = ${JSON.stringify(plans, null, 2)} as const;\n`,
    'export type Plan = keyof typeof plans;\n',
  ].join('\n');
}

/** What the server needs to know of an operation to route, validate and answer its requests. */
export function serverTable(document: Document, operations: Operation[]): string {
  const basePath = basePathOf(document);
  const rows = operations.map((operation) => {
    const named = (place: string) => operation.parameters.filter((each) => each.in === place).map(({ name }) => name);
    const row = {
      id: operation.id,
      path: basePath + operation.path,
      queryParameters: named('query'),
      headerParameters: named('header'),
      bodyRequired: operation.body?.required === true,
      announcement: announcement(operation, operations, basePath),
    };
    return [operation.id, row];
  });
  return [
    comment('The path that all operations share.'),
    `export const basePath = '${basePath}';\n`,
    comment('By operationId. `announcement`: the headers of every response that announce a removal.'),
    `export const operations = ${JSON.stringify(Object.fromEntries(rows), null, 2)};\n`,
  ].join('\n');
}

function basePathOf(document: Document): string {
  return new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to the operation that replaces it (RFC 5829). */
function announcement({ deprecation }: Operation, operations: Operation[], basePath: string): Record<string, string> {
  if (!deprecation) return {};
  const { operationId, parameters = {} } = deprecation.replacedBy;
  const successor = operations.find(({ id }) => id === operationId);
  const query = new URLSearchParams(parameters as Record<string, string>).toString();
  return {
    Deprecation: `@${Date.parse(`${deprecation.at}T00:00:00Z`) / 1000}`,
    Sunset: new Date(`${deprecation.sunset}T00:00:00Z`).toUTCString(),
    Link: `<${basePath}${successor?.path}${query && `?${query}`}>; rel="successor-version"`,
  };
}

/** The bundled contract as a module, so that a build carries it along, and as the texts that are served. */
export function bundledDocument(document: Document, operations: Operation[]): string {
  const reference = referenceDocument(document, operations, basePathOf(document));
  return [
    `export const document = ${JSON.stringify(document, null, 2)};\n`,
    comment('For the reference page: the same with what its extensions say in words, as JSON.'),
    `export const reference = ${JSON.stringify(reference)};\n`,
  ].join('\n');
}

/** Validated input. A parameter with a default is always there. */
function requestType(typeAt: TypeAt, operation: Operation): string {
  const places = (['path', 'query', 'header'] as const).map((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    const fields = parameters.map(({ name, required, default: value }) => {
      const type = typeAt('operations', operation.id, 'parameters', place, name);
      if (value === undefined) return `    ${property(name)}${required ? '' : '?'}: ${type};\n`;
      return `    ${property(name)}: ${type.replace(/ \| undefined$/, '')};\n`;
    });
    return fields.length > 0 ? `  ${place === 'header' ? 'headers' : place}: {\n${fields.join('')}  };\n` : '';
  });
  const { body } = operation;
  const bodyField = body
    ? `  body${body.required ? '' : '?'}: ${bodyType(typeAt, operation, body, 'requestBody')};\n`
    : '';
  return `export interface ${pascalCase(operation.id)}Request {\n${places.join('')}${bodyField}}\n`;
}

/** Headers that every response of the server carries without a handler's doing. */
const COMMON_HEADERS = /^(x-)?ratelimit|^(deprecation|sunset|retry-after|www-authenticate)$/i;

function responseType(typeAt: TypeAt, operation: Operation): string {
  const variants = operation.success.map((response) => {
    const headers = response.headers.filter((header) => !COMMON_HEADERS.test(header));
    const fields = [
      `status: ${response.status}`,
      ...(headers.length > 0
        ? [`headers?: { ${headers.map((header) => `${JSON.stringify(header)}?: string`).join('; ')} }`]
        : []),
      ...(response.hasBody ? [bodyField(typeAt, operation, response)] : []),
    ];
    return `{ ${fields.join('; ')} }`;
  });
  return `export type ${pascalCase(operation.id)}Response = ${variants.join(' | ')};\n`;
}

/** A value, or what the database wrote of it. */
function bodyField(typeAt: TypeAt, operation: Operation, response: Operation['success'][number]): string {
  const type = bodyType(typeAt, operation, response, 'responses', String(response.status));
  return `body: ${type} | JsonText<${type}>`;
}

function handler(operation: Operation): string {
  const name = pascalCase(operation.id);
  return `${operationDoc(operation)}\n  ${operation.id}(request: ${name}Request, context: Context): Promise<${name}Response>;`;
}
