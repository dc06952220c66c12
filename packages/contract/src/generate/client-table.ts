import type { Document, Operation } from '../contract.ts';
import { environments, isIdempotencyKey, isIdempotent, isPaged, sent } from './client.ts';
import { exported } from './jsdoc.ts';
import { property } from './names.ts';

/** What `@petstore/client` needs at run time: the environments, and how each operation is sent. */
export function clientTable(document: Document, operations: Operation[]): string {
  const urls = environments(document).map(([name, url]) => `  ${property(name)}: '${url}',\n`);
  return [
    exported('Base URLs of the environments.', `const environments = {\n${urls.join('')}} as const;`),
    exported('How each operation is sent.', `const operations = {\n${operations.map(row).join('')}} as const;`),
  ].join('\n');
}

/** Only what holds is written: a flag that is absent is false. */
function row(operation: Operation): string {
  assertSendable(operation);
  const places = sent(operation).map(({ name, in: place }) => `${property(name)}: '${place}'`);
  const result = resultOf(operation);
  const fields = [
    `method: '${operation.method.toUpperCase()}'`,
    `path: '${operation.path}'`,
    places.length > 0 && `parameters: { ${places.join(', ')} }`,
    operation.body && `body: '${operation.body.required ? 'required' : 'optional'}'`,
    result && `result: '${result}'`,
    isPaged(operation) && 'pages: true',
    isIdempotent(operation) && 'idempotencyKey: true',
    operation.stability && `stability: '${operation.stability}'`,
  ];
  return `  ${operation.id}: { ${fields.filter(Boolean).join(', ')} },\n`;
}

/** Members of a client that are no operations. */
const TAKEN = ['request', 'withOptions', 'beta', 'experimental'];

/**
 * @throws Error for a parameter that the client would leave out although it has to be there, or write in another way,
 *   and for an operation whose name is taken
 */
function assertSendable(operation: Operation): void {
  if (TAKEN.includes(operation.id)) throw new Error(`${operation.id}: the client has a member of this name`);
  for (const parameter of operation.parameters) {
    const { in: place, name, required, plain } = parameter;
    const isSent = sent(operation).includes(parameter);
    if (isSent && !plain)
      throw new Error(`${operation.id}: the client writes ${name} without \`style\`, \`explode\` or \`content\``);
    if (!isSent && required && !isIdempotencyKey(parameter))
      throw new Error(`${operation.id}: the client cannot send ${name}, a required ${place} parameter`);
  }
}

/**
 * The JSON type that a 2xx response carries, undefined for none.
 *
 * @throws Error for what the client cannot tell apart from a broken response
 */
function resultOf({ id, success }: Operation): 'array' | 'object' | undefined {
  const types = new Set(success.map(({ hasBody, type }) => (hasBody ? (type ?? 'of several types') : undefined)));
  const [type, ...others] = types;
  if (others.length > 0) throw new Error(`${id}: the 2xx responses carry bodies of different types`);
  if (type !== undefined && type !== 'array' && type !== 'object') {
    throw new Error(`${id}: the body of a 2xx response must be an array or an object, not ${type}`);
  }
  return type;
}
