/**
 * Bodies that are not JSON.
 *
 * @module
 */
import type { Init, Operation } from './operation.ts';
import { invariant } from './settings.ts';

/** The options of calls of an operation whose bodies are not JSON. */
export function formatOf({ type, result, accept = {} }: Operation, { accept: chosen, ...init }: Init): Init {
  const { headers = {} } = init;
  const medias = Object.keys(accept);
  invariant(chosen === undefined || medias.includes(`${chosen}`), `accept must be one of ${medias.join(', ')}`);
  const media = `${chosen ?? medias[0]}`;
  const parseAs = result === 'location' ? 'text' : (accept[media] ?? result);
  const given = Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(Object(headers));
  const accepted = [...(accept[media] ? [['accept', media]] : []), ...given];
  const bodySerializer = /^application\/(.+\+)?json$/.test(`${type}`) ? JSON.stringify : textOf;
  const isParts = type === 'multipart/form-data';
  return {
    ...(/text|blob/.test(`${parseAs}`) && { parseAs }),
    ...init,
    headers: accepted,
    // `fetch` makes the boundary of a form.
    ...(type &&
      (isParts ? { bodySerializer: formOf } : { bodySerializer, headers: [...accepted, ['Content-Type', type]] })),
  };
}

/** A form whose named fields are files. */
export type WithFiles<Body, Names extends string> = Body extends unknown
  ? { [Name in keyof Body]: Name extends Names ? FileOf<Body[Name]> : Body[Name] }
  : never;
type FileOf<Value> = Value extends string ? Blob : Value extends readonly unknown[] ? Blob[] : Value;

/** Files as they are, objects as JSON, and other values as texts. */
function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) {
      if (each === undefined) continue;
      form.append(name, each instanceof Blob ? each : typeof each === 'object' ? JSON.stringify(each) : `${each}`);
    }
  return form;
}

/** A text and bytes as they are, and the fields of a form. */
function textOf(body: unknown): unknown {
  if (typeof body === 'string' || body instanceof Blob || 'getReader' in Object(body)) return body;
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(body)))
    for (const each of [value].flat()) if (each !== undefined) fields.append(name, `${each}`);
  return `${fields}`;
}
