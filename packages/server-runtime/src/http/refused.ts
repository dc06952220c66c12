import { refusal, type Value, valuesOf } from '@petstore-platform/openapi-validation';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { ApiError, isDatabaseUnavailable } from '../errors.ts';

/** SQLSTATEs of data exceptions, and of a row or an entry of an index that is too large. */
const REFUSED = /^(22...|54000)$/;

/** SQLSTATE of a syntax error, also in a value of a type with a syntax, such as `tsquery`. Only an error in a statement has a position. */
const SYNTAX = '42601';

const isRefused = ({ code = '', position, internalPosition }: pg.DatabaseError) =>
  REFUSED.test(code) || (code === SYNTAX && position === undefined && internalPosition === undefined);

/** The most values that are looked for in an error, which may be as long as a body. */
const MAX_COMPARED_VALUES = 1_000;

const REASONS: Record<string, string> = {
  22001: 'is too long',
  22003: 'is out of range',
  22008: 'is out of range',
  22009: 'is out of range',
  54000: 'is too large',
};

/** A value that Postgres refuses. */
export interface Refused {
  failure: Error;
  /** Whether it is a value of the request. Otherwise a handler has made it, perhaps by mistake. */
  isSent: boolean;
}

/**
 * The failure for a value that Postgres refuses, although it is valid by the contract: 400 with the pointer to it, as far as the error
 * tells. Undefined for other errors, and for a request without values, which cannot have caused it.
 */
export function refusedValue(error: unknown, request: FastifyRequest): Refused | undefined {
  const { params, body, raw } = request;
  if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) return undefined;
  const { code = '' } = error;
  const hasValues = Object.keys(params ?? {}).length > 0 || raw.url?.includes('?') || body !== undefined;
  if (!isRefused(error) || !hasValues) return undefined;
  const values = [...valuesOf(request)].filter(({ isName }) => !isName).slice(0, MAX_COMPARED_VALUES);
  const quoted = values.filter(({ value }) => isQuoted(error.message, String(value)));
  const wrong = quoted.length > 0 ? quoted : values.filter(beyond(error));
  // Of several values, any may be the wrong one.
  if (wrong.length === 1) return { failure: refusal(wrong, () => REASONS[code] ?? 'is invalid'), isSent: true };
  return { failure: new ApiError(400, 'A value of the request is invalid'), isSent: wrong.length > 1 };
}

/** In any language, Postgres' messages have the value in quotes. */
function isQuoted(message: string, text: string): boolean {
  const parts = text === '' ? [] : message.split(text);
  return parts.some((part, index) => index > 0 && BEFORE.test(parts[index - 1] ?? '') && AFTER.test(part));
}
const BEFORE = /["'«»„“”‘’「]\s?$/;
const AFTER = /^\s?["'«»„“”‘’」]/;

/** Whether a value exceeds the limit that is in the error, whose message has no value. */
function beyond({ code, message, detail = '' }: pg.DatabaseError): (value: Value) => boolean {
  const isText = (value: unknown, least: number) => typeof value === 'string' && Array.from(value).length > least;
  if (code === '54000') return ({ value }) => isText(value, LONG_INDEX_ENTRY);
  const [, characters] = /\((\d+)\)/.exec(message) ?? [];
  if (code === '22001' && characters) return ({ value }) => isText(value, Number(characters));
  // Of a numeric column. The value may be below the limit, and round to it.
  const [, exponent] = /10\^(\d+)/.exec(detail) ?? [];
  if (code === '22003' && exponent) return ({ value }) => Math.abs(Number(value)) >= 10 ** Number(exponent) - 1;
  return () => false;
}

/** A B-tree takes entries of up to 2,704 bytes, after compression. */
const LONG_INDEX_ENTRY = 600;
