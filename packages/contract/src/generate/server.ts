import type { Document, Operation } from '../contract.ts';
import { comment, operationDoc } from './jsdoc.ts';
import { bodyType, parametersOf, pascalCase, schemaAliases } from './names.ts';

/** `@petstore/server`: what each handler receives and may answer, and the interface that all of them form. */
export function serverOperations(document: Document, operations: Operation[]): string {
  return [
    `import type { components, operations as contract } from './schema.ts';\n`,
    schemaAliases(document),
    ...operations.flatMap((operation) => [requestType(operation), responseType(operation)]),
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

/** The bundled contract as a module, so that a build carries it along. */
export function bundledDocument(document: Document): string {
  return `export const document = ${JSON.stringify(document, null, 2)};\n`;
}

/** Validated input. A parameter with a default is always there. */
function requestType(operation: Operation): string {
  const places = (['path', 'query', 'header'] as const).map((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    if (parameters.length === 0) return '';
    const type = parametersOf(operation, place);
    const defaulted = parameters.filter((parameter) => parameter.default !== undefined).map(({ name }) => `'${name}'`);
    const filled = defaulted.length > 0 ? `${type} &\n    Required<Pick<${type}, ${defaulted.join(' | ')}>>` : type;
    return `  ${place === 'header' ? 'headers' : place}: ${filled};\n`;
  });
  const { body } = operation;
  const bodyField = body ? `  body${body.required ? '' : '?'}: ${bodyType(operation, body, "['requestBody']")};\n` : '';
  return `export interface ${pascalCase(operation.id)}Request {\n${places.join('')}${bodyField}}\n`;
}

/** Headers that every response of the server carries without a handler's doing. */
const COMMON_HEADERS = /^(x-)?ratelimit|^(deprecation|sunset|retry-after|www-authenticate)$/i;

function responseType(operation: Operation): string {
  const variants = operation.success.map((response) => {
    const headers = response.headers.filter((header) => !COMMON_HEADERS.test(header));
    const fields = [
      `status: ${response.status}`,
      ...(headers.length > 0
        ? [`headers?: { ${headers.map((header) => `${JSON.stringify(header)}?: string`).join('; ')} }`]
        : []),
      ...(response.hasBody ? [`body: ${bodyType(operation, response, `['responses'][${response.status}]`)}`] : []),
    ];
    return `{ ${fields.join('; ')} }`;
  });
  return `export type ${pascalCase(operation.id)}Response = ${variants.join(' | ')};\n`;
}

function handler(operation: Operation): string {
  const name = pascalCase(operation.id);
  return `${operationDoc(operation)}\n  ${operation.id}(request: ${name}Request, context: Context): Promise<${name}Response>;`;
}
