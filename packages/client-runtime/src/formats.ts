/**
 * Bodies that are not JSON.
 *
 * @module
 */
import type { Init, Operation } from './operation.ts';

/** The options of calls of an operation whose bodies are not JSON. */
export function formatOf({ type, result }: Operation, init: Init): Init {
  const { headers = {} } = init;
  const given = Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(Object(headers));
  const bodySerializer = /^application\/(.+\+)?json$/.test(`${type}`) ? JSON.stringify : textOf;
  return {
    ...(/text|blob/.test(`${result}`) && { parseAs: result }),
    ...init,
    ...(type && { bodySerializer, headers: [...given, ['Content-Type', type]] }),
  };
}

/** A text and bytes as they are, and the fields of a form. */
function textOf(body: unknown): unknown {
  if (typeof body === 'string' || body instanceof Blob) return body;
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(body)))
    for (const each of [value].flat()) if (each !== undefined) fields.append(name, `${each}`);
  return `${fields}`;
}
