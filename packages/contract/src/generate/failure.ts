import { closed, isMap, keysOf, partsIn, pointerOf, refTo, type SchemaOrBoolean } from '@petstore-platform/openapi';
import { Compiler } from '@petstore-platform/server-runtime/tools';
import { type Document, type Operation, partsOf, resolve, type Schema } from '../contract.ts';
import { at, CODE_HEADER, type ErrorBody, isFailure, isText, placesIn } from '../failures.ts';
import { sampleValue } from './examples.ts';
import { filled } from './template.ts';
import { keyOf, literal, quoted } from './values.ts';

/** The module of an SDK that knows the body of failures, in place of the one for the platform's Error. */
export function clientFailure(document: Document, operations: Operation[], errorBody: ErrorBody): string {
  const { 'x-error-codes': codes = [] } = document;
  const all = [errorBody, ...failuresIn(operations).map(({ schema }) => placesIn(document, schema, errorBody))];
  const places = all.map(({ code, message, fields }) => {
    // A message of the request as a whole may be one of those by field.
    const named = Object.entries({ code, message: isWithin(message, fields) ? undefined : message, fields });
    return literal(Object.fromEntries(named.flatMap(([name, place]) => (place ? [[name, keysOf(place)]] : []))));
  });
  return filled('client/failure.ts', {
    codes: codes.map((one) => `${literal(one)} | `).join(''),
    type: quoted(errorBody.type),
    header: errorBody.code === undefined && quoted(CODE_HEADER),
    body: failureBody(document, { ...errorBody, fields: undefined }).body,
    places: [...new Set(places)].join(', '),
  });
}

const failuresIn = (operations: Operation[]) =>
  operations.flatMap(({ id, failures }) =>
    failures.flatMap(({ status, body }) =>
      isFailure(status) && body
        ? [{ place: `${id} ${status}`, id, status, schema: body.schema as Schema, example: body.example }]
        : [],
    ),
  );

/** The failures of operations by operationId and status: an expression that makes a body, if one is found, and the pointers of its samples. */
export type FailureBodies = ReturnType<typeof failureBodies>;

/** Makes bodies that their schemas admit: the required fields, with the status, the code and the message where these may be. */
export function failureBodies(document: Document, operations: Operation[], errorBody: ErrorBody) {
  const all = failuresIn(operations);
  const { values, schemas } = closed(
    Object.fromEntries(all.map(({ place, schema }) => [place, schema])),
    (document.components?.schemas ?? {}) as Record<string, SchemaOrBoolean>,
  );
  const compiler = new Compiler(schemas);
  const rows = all.map(({ place, id, status, schema, example }) => {
    const isAdmitted = compiler.compile(values[place] ?? true);
    const number = Number(status.replace('XX', '00')) || 500;
    const places = placesIn(document, schema, errorBody);
    const plain = { ...places, fields: undefined };
    const found = [places, plain, { ...plain, code: undefined }, { ...plain, code: undefined, message: undefined }]
      .flatMap((each) => [false, true].map((isWhole) => failureBody(document, each, schema, number, isWhole)))
      .concat(isMap(example) ? [{ body: literal(example), value: example, samples: ['/'] }] : [])
      .find(({ value }) => isAdmitted(value));
    return [place, { id, status, schema, body: found?.body, samples: found?.samples ?? [] }] as const;
  });
  return new Map(rows);
}

/**
 * The module of a server that makes the bodies of failures. An operation may say more of its own: that the code of its 404 is `GONE`.
 */
export function serverFailure(document: Document, found: FailureBodies, errorBody: ErrorBody): string {
  const withBody = [...found].flatMap(([place, { body, ...one }]) => (body ? [{ ...one, place, body }] : []));
  const texts = new Set(withBody.map(({ body }) => body));
  const like = withBody.find(({ schema }) => errorBody.schema === undefined || schema.$ref === refTo(errorBody.schema));
  const usual = like?.body ?? failureBody(document, errorBody).body;
  const others = [...texts].filter((body) => body !== usual);
  const makeOf = (body: string) => (body === usual ? 'usual' : `other${others.indexOf(body) + 1}`);
  const differing = new Set(withBody.flatMap(({ id, body }) => (body === usual ? [] : [id])));
  const rows = withBody.filter(({ id }) => differing.has(id));
  const bodies = [usual, ...others].map((body) => `const ${makeOf(body)}: Make = (${parameterOf(body)}) => (${body});`);
  return filled('server/failure.ts', {
    bodies: bodies.join('\n'),
    messages: bodies.some((body) => body.includes('byField(')),
    rows: rows.map(({ place, body }) => `  ${quoted(place)}: ${makeOf(body)},\n`).join(''),
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
function failureBody(document: Document, errorBody: ErrorBody, schema?: Schema, status = 500, isWhole = false) {
  const { schema: name, code, message, fields } = errorBody;
  const described = schema ?? (name === undefined ? undefined : ({ $ref: refTo(name) } as Schema));
  const found = described && sampleValue(document, described);
  const sample = isMap(found) ? structuredClone(found) : {};
  const parts = described ? partsOf(document, described) : [];
  const partsAt = (pointer: string, all = parts) =>
    all.flatMap((part) => resolve(document, at(document, part, pointer)) ?? []);
  const isFree = (pointer: string, isCode = false) => {
    const found = partsAt(pointer);
    return found.length > 0
      ? found.every((each) => isText(document, { type: 'string', ...each }, isCode))
      : !parts.some(({ properties }) => properties);
  };
  const places: Record<string, string> = {};
  const beside = message?.slice(0, message.lastIndexOf('/')) ?? '';
  for (const field of ['/status', '/statusCode', '/status_code', '/code'].flatMap((one) => [one, beside + one])) {
    const value = keysOf(field).reduce<unknown>((node, key) => Object(node)[key], sample);
    const values = partsAt(field).flatMap(({ enum: all, const: only }) => all ?? only ?? []);
    if (!/status/.test(field) && !isFailure(`${value}`)) continue;
    if (typeof value === 'number' && (values.length === 0 || values.includes(status))) places[field] = 'status';
    else if (typeof value === 'string' && isFree(field)) places[field] = 'String(status)';
  }
  const whole = isWithin(message, fields) ? '{ pointer: "/body", message }' : '';
  const isListed = isText(document, at(document, described, `${fields}/body/0`), false);
  const mapped = `byField(errors ?? [${whole}]${isListed ? '' : ', true'})`;
  for (const [variable, pointer] of Object.entries({ [mapped]: fields, message, code })) {
    if (pointer === undefined || (pointer !== fields && !isFree(pointer, variable === 'code'))) continue;
    places[pointer] = variable;
    keysOf(pointer).reduce((node, key, index, all) => {
      node[key] ??= all[index + 1] === '0' ? [] : {};
      return node[key] as typeof sample;
    }, sample);
  }
  const samples: string[] = [];
  const write = (value: unknown, at: string): string => {
    if (places[at]) return places[at];
    const held = partsAt(at);
    if (typeof value !== 'object' || value === null) {
      if (!isWhole && held.some(({ format }) => format === 'date-time')) return 'new Date().toISOString()';
      // A value of one alternative is not told, as a failure may be of another.
      const all = partsAt(at, partsIn(document.components?.schemas ?? {}, described));
      const [first, ...others] = new Set(all.flatMap((each) => each.const ?? each.default ?? each.enum ?? []));
      if (first !== value || others.length > 0) samples.push(at);
      return literal(value);
    }
    const required = held.flatMap((each) => partsOf(document, each)).flatMap(({ required = [] }) => required);
    const parts = Object.entries(value).flatMap(([key, each]) => {
      const inner = at + pointerOf([key]).slice(1);
      const isPlace = Object.keys(places).some((one) => `${one}/`.startsWith(`${inner}/`));
      if (!isWhole && !Array.isArray(value) && !required.includes(key) && !isPlace) return [];
      const text = write(each, inner);
      if (Array.isArray(value) || text === key) return text;
      return `${key === '__proto__' ? '["__proto__"]' : keyOf(key)}: ${text}`;
    });
    return Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  };
  const body = write(sample, '');
  const byField = (_: unknown, isFirst = false) => ({ body: isFirst ? 'It failed' : ['It failed'] });
  const make = new Function('status', 'code', 'message', 'errors', 'byField', `return (${body})`);
  return { body, samples, value: make(status, 'failed', 'It failed', undefined, byField) as unknown };
}

const isWithin = (place: string | undefined, fields: string | undefined) => place?.startsWith(`${fields}/`) === true;
