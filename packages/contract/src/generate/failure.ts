import {
  closed,
  isMap,
  keysOf,
  pointerOf,
  operationsOf as readOperations,
  refTo,
  type SchemaOrBoolean,
} from '@petstore-platform/openapi';
import { Compiler } from '@petstore-platform/server-runtime/tools';
import { type Document, type Operation, partsOf, resolve, type Schema } from '../contract.ts';
import { at, CODE_HEADER, isFailure, isText, type OwnFailures } from '../failures.ts';
import { mediaOf } from '../media.ts';
import { made } from './examples.ts';
import { filled } from './template.ts';
import { keyOf, literal, quoted } from './values.ts';

/** The module of an SDK that knows the body of failures, in place of the one for the platform's Error. */
export function clientFailure(document: Document, own: OwnFailures): string {
  const { 'x-error-codes': codes = [] } = document;
  const { fields, ...rest } = own;
  const { type, code, message } = rest;
  // A message of the request as a whole may be one of those by field.
  const places = { code, message: isWithin(message, fields) ? undefined : message, fields };
  const keys = Object.entries(places).flatMap(([name, place]) => (place === undefined ? [] : [[name, keysOf(place)]]));
  return filled('client/failure.ts', {
    codes: codes.map((one) => `${literal(one)} | `).join(''),
    type: quoted(type),
    header: code === undefined && quoted(CODE_HEADER),
    body: failureBody(document, rest).body,
    places: literal(Object.fromEntries(keys)),
  });
}

/** The schemas of the failures of operations by operationId and status, each with an expression that makes a body of it, if one is found. */
export type FailureBodies = Map<string, { id: string; status: string; body: string | undefined }>;

/** Makes bodies that their schemas admit: a sample with the status, the code and the message where these may be. */
export function failureBodies(document: Document, operations: Operation[], own: OwnFailures): FailureBodies {
  const all = readOperations(document).flatMap(({ id, responses }) => {
    const fails = operations.find((one) => one.id === id)?.failures ?? [];
    const described = responses.filter(
      ({ status }) => fails.some((one) => one.status === status && one.body) && isFailure(status),
    );
    return described.map(({ status, content }) => {
      const { schema = {}, example } = mediaOf(content)[1] ?? {};
      return { id, status, schema, example };
    });
  });
  const placeOf = ({ id, status }: (typeof all)[0]) => `${id} ${status}`;
  const { values, schemas } = closed(
    Object.fromEntries(all.map((one) => [placeOf(one), one.schema])),
    (document.components?.schemas ?? {}) as Record<string, SchemaOrBoolean>,
  );
  const compiler = new Compiler(schemas);
  const rows = all.map((one) => {
    const { id, status, schema, example } = one;
    const isAdmitted = compiler.compile(values[placeOf(one)] ?? true);
    const number = Number(status.replace('XX', '00')) || 500;
    const plain = { ...own, fields: undefined };
    const found = [own, plain, { ...plain, code: undefined }, { ...plain, code: undefined, message: undefined }]
      .map((each) => failureBody(document, each as OwnFailures, schema, number))
      .concat(isMap(example) ? [{ body: literal(example), value: example }] : [])
      .find(({ value }) => isAdmitted(value));
    return [placeOf(one), { id, status, body: found?.body }] as const;
  });
  return new Map(rows);
}

/**
 * The module of a server that makes the bodies of failures. An operation may say more of its own: that the code of its 404 is `GONE`.
 */
export function serverFailure(document: Document, all: FailureBodies, own: OwnFailures): string {
  const known = [...all].flatMap(([place, { id, body }]) => (body === undefined ? [] : [{ place, id, body }]));
  const texts = new Set(known.map(({ body }) => body));
  const usual = own.schema === undefined ? [...texts][0] : failureBody(document, own).body;
  const others = [...texts].filter((body) => body !== usual);
  const nameOf = (body: string) => (body === usual ? 'usual' : `other${others.indexOf(body) + 1}`);
  const differing = new Set(known.flatMap(({ id, body }) => (body === usual ? [] : [id])));
  const rows = known.filter(({ id }) => differing.has(id));
  const bodies = [usual, ...others].map(
    (body = '{}') => `const ${nameOf(body)}: Make = (${parameterOf(body)}) => (${body});`,
  );
  const message = isListed(document, own) ? 'all.map(({ message }) => message)' : 'all[0]?.message';
  return filled('server/failure.ts', {
    bodies: bodies.join('\n'),
    messages: bodies.some((body) => body.includes('byField(')) && message,
    rows: rows.map(({ place, body }) => `  ${quoted(place)}: ${nameOf(body)},\n`).join(''),
  });
}

const parameterOf = (body: string) => {
  // The generator has written the text.
  // oxlint-disable-next-line redos/no-vulnerable
  const words = body.replace(/"(?:\\.|[^"\\])*"/g, '').match(/\w+\b(?!:)/g);
  const used = ['status', 'code', 'message', 'errors'].filter((name) => words?.includes(name));
  return used.length > 0 ? `{ ${used.join(', ')} }` : '';
};

/** An expression for the body of a failure, of the variables `status`, `code` and `message` and, for its other fields, samples; and a value. */
function failureBody(document: Document, own: OwnFailures, schema?: Schema, status = 500) {
  const { schema: name, code, message, fields } = own;
  const described = schema ?? (name === undefined ? undefined : ({ $ref: refTo(name) } as Schema));
  const found = described && made(document, described);
  const sample = isMap(found) ? structuredClone(found) : {};
  const parts = described ? partsOf(document, described) : [];
  const partsAt = (pointer: string) => parts.flatMap((part) => resolve(document, at(document, part, pointer)) ?? []);
  const isFree = (pointer: string, isCode: boolean) => {
    const found = partsAt(pointer);
    return found.length > 0
      ? found.every((each) => isText(document, { type: 'string', ...each }, isCode))
      : !parts.some(({ properties }) => properties);
  };
  const places: Record<string, string> = {};
  for (const field of ['/status', '/statusCode']) {
    const values = partsAt(field).flatMap(({ enum: all, const: only }) => all ?? only ?? []);
    const isAny = values.length === 0 || values.includes(status);
    if (isAny && typeof sample[field.slice(1)] === 'number') places[field] = 'status';
    else if (typeof sample[field.slice(1)] === 'string' && isFree(field, false)) places[field] = 'String(status)';
  }
  const mapped = `byField(errors ?? [${isWithin(message, fields) ? '{ pointer: "/body", message }' : ''}])`;
  for (const [variable, pointer] of Object.entries({ [mapped]: fields, message, code })) {
    if (pointer === undefined || (pointer !== fields && !isFree(pointer, variable === 'code'))) continue;
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
  const body = write(sample, '');
  const byField = () => ({ body: isListed(document, own, described) ? ['It failed'] : 'It failed' });
  const make = new Function('status', 'code', 'message', 'errors', 'byField', `return (${body})`);
  return { body, value: make(status, 'failed', 'It failed', undefined, byField) as unknown };
}

const isWithin = (place: string | undefined, fields: string | undefined) => place?.startsWith(`${fields}/`) === true;

/** Whether the messages of a field are a list. */
const isListed = (document: Document, { schema, fields = '' }: OwnFailures, described?: Schema) =>
  isText(document, at(document, described ?? { $ref: refTo(`${schema}`) }, `${fields}/body/0`), false);
