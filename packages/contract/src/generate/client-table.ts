import type { Document, Operation } from '../contract.ts';
import { environments, isIdempotencyKey, isIdempotent, isPaged, sent } from './client.ts';
import { exported } from './jsdoc.ts';
import { keyOf, quoted } from './names.ts';

/** The run-time data of an SDK, which are the environments and the request of each operation. */
export function clientTable(document: Document, operations: Operation[]): string {
  const urls = environments(document).map(([name, url]) => `  ${keyOf(name)}: ${quoted(url)},\n`);
  return [
    exported('Base URLs of the environments.', `const environments = {\n${urls.join('')}} as const;`),
    exported('How each operation is sent.', `const operations = {\n${operations.map(row).join('')}} as const;`),
  ].join('\n');
}

/**
 * A row of the table. False flags are omitted.
 *
 * @throws Error for a required parameter that the client cannot send
 */
function row(operation: Operation): string {
  const unsent = operation.parameters.find((one) => one.required && !sent(operation).includes(one));
  if (unsent && !isIdempotencyKey(unsent))
    throw new Error(`${operation.id}: the client cannot send ${unsent.name}, a required ${unsent.in} parameter`);
  const places = sent(operation).map(({ name, in: place }) => `${keyOf(name)}: '${place}'`);
  const result = resultOf(operation);
  const fields = [
    `method: '${operation.method.toUpperCase()}'`,
    `path: ${quoted(operation.path)}`,
    places.length > 0 && `parameters: { ${places.join(', ')} }`,
    operation.body && `body: '${operation.body.required ? 'required' : 'optional'}'`,
    result && `result: '${result}'`,
    isPaged(operation) && 'pages: true',
    isIdempotent(operation) && 'idempotencyKey: true',
    operation.stability && `stability: '${operation.stability}'`,
  ];
  return `  ${operation.id}: { ${fields.filter(Boolean).join(', ')} },\n`;
}

/**
 * The JSON type of the 2xx responses; undefined without a body.
 *
 * @throws Error for a type that the client cannot distinguish from a broken response
 */
function resultOf({ id, success }: Operation): 'array' | 'object' | undefined {
  const types = new Set(success.map(({ body }) => body && (body.type ?? 'of several types')));
  const [type, ...others] = types;
  if (others.length > 0) throw new Error(`${id}: the 2xx responses carry bodies of different types`);
  if (type !== undefined && type !== 'array' && type !== 'object') {
    throw new Error(`${id}: the body of a 2xx response must be an array or an object, not ${type}`);
  }
  return type;
}
