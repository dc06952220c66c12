import type { Document } from '../contract.ts';
import { CODE_HEADER, type OwnFailures } from '../failures.ts';
import { literal, quoted } from './values.ts';

/** The module of an SDK that knows the body of failures, in place of the one for the platform's Error. */
export function clientFailure({ 'x-error-codes': codes = [] }: Document, { type, code, message }: OwnFailures): string {
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
  const code = ${code === undefined ? '' : `textAt(body, ${keysOf(code)}) ?? `}headers?.get(${quoted(CODE_HEADER)});
  return code ? { code, message: ${message === undefined ? 'undefined' : `textAt(body, ${keysOf(message)})`} } : undefined;
}

/** A failure of the service with its code and message, and headers such as \`{ 'Retry-After': '30' }\`. Its other fields are absent. */
export function errorResponse(
  status: number,
  code: FailureCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify(${bodyOf({ code, message })});
  return new Response(body, { status, headers: { ${headers} } });
}
`;
}

const keys = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

const keysOf = (pointer: string) => literal(keys(pointer));

/** An object with these variables at their places. */
function bodyOf(places: Record<string, string | undefined>): string {
  const root = new Map<string, unknown>();
  for (const [variable, pointer] of Object.entries(places)) {
    const path = keys(pointer ?? '');
    const last = path.pop();
    if (last === undefined) continue;
    const holder = path.reduce((node, key) => {
      const next = (node.get(key) ?? new Map()) as typeof root;
      node.set(key, next);
      return next;
    }, root);
    holder.set(last, variable);
  }
  const write = (node: unknown): string => {
    if (!(node instanceof Map)) return `${node}`;
    const isList = node.size > 0 && [...node.keys()].every((key) => key === '0');
    const parts = [...node].map(([key, each]) => (isList ? write(each) : `${literal(key)}: ${write(each)}`));
    return isList ? `[${parts}]` : `{ ${parts.join(', ')} }`;
  };
  return write(root);
}
