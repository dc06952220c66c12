import { isMap, keysOf, pointerOf } from '@repo/openapi';
import type { Document, Schema } from '../contract.ts';
import { CODE_HEADER, type OwnFailures } from '../failures.ts';
import { made } from './examples.ts';
import { keyOf, literal, quoted } from './values.ts';

/** The module of an SDK that knows the body of failures, in place of the one for the platform's Error. */
export function clientFailure(document: Document, own: OwnFailures): string {
  const { 'x-error-codes': codes = [] } = document;
  const { type, code, message } = own;
  const known = codes.map((one) => `${literal(one)} | `).join('');
  const headers = `'Content-Type': ${quoted(type)}, ${code === undefined ? `${quoted(CODE_HEADER)}: code, ` : ''}...headers`;
  return `import type { OperationFailures } from './operations.ts';

type Bodies = { [Id in keyof OperationFailures]: OperationFailures[Id][keyof OperationFailures[Id]] };
/** The body of a failure. */
export type FailureBody = Exclude<Bodies[keyof Bodies], undefined>;

/** The codes that a failure may have. */
export type FailureCode = ${known}(string & {});

/** A text in a body. */
const textAt = (body: unknown, keys: readonly string[]) => {
  const value = keys.reduce((value, key) => Object(value)[key], body);
  return typeof value === 'string' ? value : undefined;
};

/** The code and the message of a failure; undefined for a body that is none of the contract. */
export function readFailure(body: unknown, headers?: Headers): { code: string; message?: string | undefined } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const code = ${code === undefined ? '' : `textAt(body, ${literal(keysOf(code))}) ?? `}headers?.get(${quoted(CODE_HEADER)});
  return code ? { code, message: ${message === undefined ? 'undefined' : `textAt(body, ${literal(keysOf(message))})`} } : undefined;
}

/** A failure of the service, and headers such as \`{ 'Retry-After': '30' }\`. Other fields of its body are samples. */
export function errorResponse(
  status: number,
  code: FailureCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify(${failureBody(document, own)});
  return new Response(body, { status, headers: { ${headers} } });
}
`;
}

/** An expression for the body of a failure, of the variables `status`, `code` and `message` and, for its other fields, samples. */
export function failureBody(document: Document, { schema, code, message }: OwnFailures): string {
  const found = schema === undefined ? undefined : made(document, { $ref: `#/components/schemas/${schema}` } as Schema);
  const sample = isMap(found) ? structuredClone(found) : {};
  const places: Record<string, string> = { ...(typeof sample.status === 'number' && { '/status': 'status' }) };
  for (const [variable, pointer] of Object.entries({ message, code })) {
    if (pointer === undefined) continue;
    places[pointer] = variable;
    keysOf(pointer).reduce((node, key, index, all) => {
      node[key] ??= all[index + 1] === '0' ? [] : {};
      return node[key] as typeof sample;
    }, sample);
  }
  const write = (value: unknown, at: string): string => {
    if (places[at]) return places[at];
    if (typeof value !== 'object' || value === null) return literal(value);
    const parts = Object.entries(value).map(([key, each]) => {
      const text = write(each, at + pointerOf([key]).slice(1));
      if (Array.isArray(value) || text === key) return text;
      return `${key === '__proto__' ? '["__proto__"]' : keyOf(key)}: ${text}`;
    });
    return Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  };
  return write(sample, '');
}
