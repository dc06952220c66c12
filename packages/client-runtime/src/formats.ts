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
  const entries = Symbol.iterator in Object(headers) ? [...(headers as Headers)] : Object.entries(Object(headers));
  const accepted = [...(accept[media] ? [['accept', media]] : []), ...entries];
  const isForm = FORM.test(`${type}`);
  const isParts = type === 'multipart/form-data';
  const isTyped = entries.some(([name]) => /^content-type$/i.test(`${name}`));
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

/** Other objects than plain ones seem to have no fields. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !SPECIAL.some((symbol) => symbol in value);
const SPECIAL = [Symbol.toStringTag, Symbol.iterator, Symbol.asyncIterator];

/** Adds fields to a form: files as they are, objects as JSON, other values as texts, and each value of a list by itself. */
function filled<Form extends FormData | URLSearchParams>(form: Form, fields: unknown): Form {
  invariant(isPlain(fields), 'the body of a form is an object with its fields');
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) {
      const isFile = each instanceof Blob && form instanceof FormData;
      const isKnown = typeof each !== 'object' || isFile || each === null || Array.isArray(each) || isPlain(each);
      invariant(isKnown, `${name}: give a file as a Blob, such as new Blob([bytes]), in a multipart form`);
      if (isFile) form.append(name, each);
      else if (each !== undefined) form.append(name, typeof each === 'object' ? JSON.stringify(each) : `${each}`);
    }
  return form;
}

const formOf = (body: unknown) => (body instanceof FormData ? body : filled(new FormData(), body));

/** The fields of a form as the pairs of a query. */
const pairsOf = (body: unknown) => `${body instanceof URLSearchParams ? body : filled(new URLSearchParams(), body)}`;

/** A text and bytes as they are. */
function textOf(body: unknown): unknown {
  const isSent = typeof body === 'string' || body instanceof Blob || 'getReader' in Object(body);
  invariant(isSent, 'the body is a text, a Blob or a stream');
  return body;
}
