import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { MAX_ERRORS } from './field-errors.ts';
import { isFraction, isRounded } from './numbers.ts';
import { below, RequestError, wholeError } from './reasons.ts';

/** The levels of a body. Functions that call themselves for each level, as those of JSON, would overflow the stack. */
export const MAX_DEPTH = 100;

/** The pointers of the numbers in the bodies of requests that are rounded. */
const roundedByRequest = new WeakMap<FastifyRequest, string[]>();

export const roundedIn = (request: FastifyRequest): string[] => roundedByRequest.get(request) ?? [];

/**
 * Parses the JSON text of a request's body in UTF-8 (RFC 8259). A number that would be rounded (see `isRounded`) fails after validation,
 * whose failures go first. An integer and a number out of range stay as they are, for the bounds of its schema. A fraction that would
 * become an integer is NaN, which matches no schema of a number.
 *
 * @param at - the pointer to the value, as for a part of a form
 * @returns undefined for no bytes
 * @throws RequestError 400 for invalid JSON, a name that may change a prototype, bytes that are not UTF-8, and too deep values
 */
export function parseJson(body: Buffer, request: FastifyRequest, at = '/body'): unknown {
  if (body.length === 0) return undefined;
  const text = decodeUtf8(body);
  // A recursive function would use up its stack, here or in a handler.
  if (isDeep(body)) throw wholeError('body', `is nested deeper than ${MAX_DEPTH} levels`);
  const holders = new Map<object, Set<string>>();
  /** Is called with the object or array that holds the value. */
  function notice(this: object, key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
    if (typeof value !== 'number' || !isRounded(source, value)) return value;
    holders.set(this, (holders.get(this) ?? new Set()).add(key));
    return isFraction(source) ? Number.NaN : value;
  }
  try {
    // It would skip a byte order mark.
    if (text.startsWith('\ufeff')) throw new SyntaxError();
    const value: unknown = parse(text, MAY_BE_ROUNDED.test(text) ? notice : undefined);
    if (holders.size > 0) roundedByRequest.set(request, [...roundedIn(request), ...pointersOf(value, holders, at)]);
    return value;
  } catch {
    throw wholeError('body', 'is not valid JSON');
  }
}

/** @throws RequestError 400 for bytes that are not UTF-8 */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new RequestError(400, 'body is not valid UTF-8');
  return body.toString();
}

/** Matches where a number may be rounded: a fraction, an exponent, sixteen digits. */
const MAY_BE_ROUNDED = /\d(?:[.eE]|\d{15})/;

function isDeep(body: Buffer): boolean {
  if (body.length < 2 * MAX_DEPTH) return false;
  let [depth, isText] = [0, false];
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) index += 1;
    else if (isText) continue;
    else if (byte === BRACKET || byte === BRACE) depth += 1;
    else if (byte === BRACKET + 2 || byte === BRACE + 2) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = Buffer.from('"\\[{') as unknown as [number, number, number, number];

/** The pointers of the values that objects and arrays hold by these names. No holder is found for a body that is a number. */
function pointersOf(value: unknown, holders: Map<object, Set<string>>, root: string): string[] {
  const pointers: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null || pointers.length >= MAX_ERRORS) return;
    for (const name of holders.get(value) ?? []) pointers.push(below(at, name));
    for (const [name, part] of Object.entries(value)) visit(part, below(at, name));
  };
  visit(value, root);
  return pointers.length > 0 ? pointers : [root];
}
