/**
 * Bodies that are not JSON.
 *
 * @module
 */

import { invariant } from './checks.ts';
import type { Init, Operation } from './operation.ts';

/** The options of calls of an operation whose bodies are not JSON. */
export function formatOf({ type, result, accept = {} }: Operation, { accept: chosen, ...init }: Init): Init {
  const { headers = {} } = init;
  const medias = Object.keys(accept);
  invariant(chosen === undefined || medias.includes(`${chosen}`), `accept must be one of ${medias.join(', ')}`);
  const media = `${chosen ?? medias[0]}`;
  const parseAs = result === 'location' ? 'text' : (accept[media] ?? result);
  const given = Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(Object(headers));
  const accepted = [...(accept[media] ? [['accept', media]] : []), ...given];
  const isForm = FORM.test(`${type}`);
  const isParts = type === 'multipart/form-data';
  const isTyped = given.some(([name]) => /^content-type$/i.test(`${name}`));
  invariant(!isForm || !isTyped, 'headers: the Content-Type of a form is set by the client');
  const isJson = /^application\/(.+\+)?json$/.test(`${type}`);
  return {
    ...(/text|blob/.test(`${parseAs}`) && { parseAs }),
    ...init,
    // `fetch` makes the boundary of a form.
    headers: type ? [...accepted, ['Content-Type', isParts ? null : type]] : accepted,
    ...(type && { bodySerializer: isParts ? formOf : isJson ? JSON.stringify : isForm ? pairsOf : textOf }),
  };
}

/** A form whose named fields are files. */
export type WithFiles<Body, Names extends string> = Body extends unknown
  ? { [Name in keyof Body]: Name extends Names ? FileOf<Body[Name]> : Body[Name] }
  : never;
type FileOf<Value> = Value extends string ? Blob : Value extends readonly unknown[] ? Blob[] : Value;

const FORM = /^(multipart\/form-data|application\/x-www-form-urlencoded)$/;

/** The fields of a form, each value of a list by itself. Other objects than plain ones seem to have no fields. */
function* fieldsOf(form: unknown): Generator<[name: string, value: unknown]> {
  invariant(isPlain(form), 'the body of a form is an object with its fields');
  for (const [name, value] of Object.entries(form))
    for (const each of [value].flat()) if (each !== undefined) yield [name, each];
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  ![Symbol.toStringTag, Symbol.iterator, Symbol.asyncIterator].some((symbol) => symbol in value);

/** A form as it is. Of fields: files as they are, objects as JSON, and other values as texts. */
function formOf(fields: unknown): FormData {
  if (fields instanceof FormData) return fields;
  const form = new FormData();
  for (const [name, value] of fieldsOf(fields)) {
    const isFile = value instanceof Blob;
    const isJson = !isFile && typeof value === 'object';
    const isKnown = !isJson || value === null || Array.isArray(value) || isPlain(value);
    invariant(isKnown, `${name}: give a file as a Blob, such as new Blob([bytes])`);
    form.append(name, isFile ? value : isJson ? JSON.stringify(value) : `${value}`);
  }
  return form;
}

/** The fields of a form as the pairs of a query. */
function pairsOf(fields: unknown): string {
  if (fields instanceof URLSearchParams) return `${fields}`;
  const pairs = new URLSearchParams();
  for (const [name, value] of fieldsOf(fields))
    pairs.append(name, typeof value === 'object' && value ? JSON.stringify(value) : `${value}`);
  return `${pairs}`;
}

/** A text and bytes as they are. */
function textOf(body: unknown): unknown {
  const isSent = typeof body === 'string' || body instanceof Blob || 'getReader' in Object(body);
  invariant(isSent, 'the body is a text, a Blob or a stream');
  return body;
}
