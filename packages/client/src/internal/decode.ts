import type { ErrorBody } from '../generated/operations.ts';
import type { Operation } from './operation.ts';

/** The body of a success, in an object to tell "none is promised" from "another one came", which is undefined. */
export function decodeResult(text: string, result: Operation['result']): { data: unknown } | undefined {
  if (!result) return { data: undefined };
  const data = parse(text);
  return typeof data === 'object' && data && Array.isArray(data) === (result === 'array') ? { data } : undefined;
}

/** The contract's Error in a JSON text. Its `status` is not looked at: the response line has the one that counts. */
export function decodeError(text: string): ErrorBody | undefined {
  const body = Object(parse(text)) as ErrorBody;
  return typeof body.code === 'string' && typeof body.message === 'string' ? body : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
