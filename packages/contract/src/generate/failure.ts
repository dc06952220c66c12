import { isMap, keysOf, pointerOf } from '@petstore-platform/openapi';
import type { Document, Schema } from '../contract.ts';
import { CODE_HEADER, type OwnFailures } from '../failures.ts';
import { made } from './examples.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { keyOf, literal, quoted } from './values.ts';

/** The module of an SDK that knows the body of failures, in place of the one for the platform's Error. */
export function clientFailure(document: Document, own: OwnFailures): string {
  const { 'x-error-codes': codes = [] } = document;
  const { type, code, message } = own;
  const known = codes.map((one) => `${literal(one)} | `).join('');
  return `import type { Failures } from '${CLIENT_RUNTIME}';
import type { OperationFailures } from './operations.ts';

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

/** The code and the message of a failure; none in a body that is none of the contract. */
const read: Failures['read'] = (body, answer) => {
  if (typeof body !== 'object' || body === null) return {};
  const code = ${code === undefined ? '' : `textAt(body, ${literal(keysOf(code))}) ?? `}answer?.headers.get(${quoted(CODE_HEADER)});
  return { code, message: ${message === undefined ? "''" : `textAt(body, ${literal(keysOf(message))}) ?? ''`} };
};

/** A failure of the service with its code and message. Other fields of its body are samples. */
const response: Failures['response'] = (status, code, message, given) => {
  const headers = new Headers(given);
  headers.set('Content-Type', ${quoted(type)});
${code === undefined ? `  headers.set(${quoted(CODE_HEADER)}, code);\n` : ''}  return new Response(JSON.stringify(${failureBody(document, own)}), { status, headers });
};

/** How this SDK reads and writes the bodies of failures. */
export const failures: Failures = { read, response };
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
