/** Lists and objects in parameters: OpenAPI 3.2.0, "Style Examples". */
import querystring from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { keyOf, type Operation, type Parameter, type Style } from './operation.ts';

type Parts = Pick<FastifyRequest, 'params' | 'query' | 'headers' | 'raw'>;
type Texts = Record<string, unknown>;
type Failures = [name: string, reason: string][];
/** The parameter to which a name in the query belongs, and the field if it is an object. */
type Place = { name: string; style?: Style; isList?: boolean; field?: string };

/**
 * Makes the values of a request from its texts: `tags=a,b` → `['a', 'b']`, `size[min]=1` → `{ min: '1' }`. A text that is no such value
 * stays one, and fails its schema.
 *
 * @returns the names in the query that are wrong, each with the reason
 */
export type ReadStyles = (operation: Operation, request: Parts) => Failures;

/** Prepares once for each operation. @param isList - whether a parameter may be repeated */
export function stylesReader(isList: (parameter: Parameter) => boolean): ReadStyles {
  const readers = new WeakMap<Operation, (request: Parts) => Failures>();
  return (operation, request) => {
    const read = readers.get(operation) ?? readerOf(operation, isList);
    readers.set(operation, read);
    return read(request);
  };
}

function readerOf({ parameters }: Operation, isList: (parameter: Parameter) => boolean) {
  const single = parameters.filter((one) => one.in !== 'query' && one.style);
  const cookies = parameters.filter((one) => one.in === 'cookie');
  const placeOf = placesOf(
    parameters.filter((one) => one.in === 'query'),
    isList,
  );
  const isStyled = parameters.some((one) => one.in === 'query' && one.style);
  return (request: Parts): Failures => {
    for (const one of cookies) {
      const text = cookieIn(request.headers.cookie, one.name);
      if (text !== undefined) request.headers[keyOf(one)] = text;
    }
    for (const one of single) {
      const values = request[one.in === 'path' ? 'params' : 'headers'] as Texts;
      const text = values[keyOf(one)];
      if (one.style && typeof text === 'string') values[keyOf(one)] = valueIn(one.style, text);
    }
    const failures: Failures = [];
    const query = request.query as Texts;
    const values: Texts = Object.create(null);
    const sent: [string, string][] = [];
    for (const name in query) {
      const place = placeOf(name);
      const text = query[name];
      if (!place) failures.push([name, 'is unknown']);
      else if (Array.isArray(text) && !place.isList) failures.push([name, 'is given more than once']);
      else if (isStyled) {
        const parts = put(values, place, text, () => rawText(request.raw.url ?? '', name));
        if (parts) sent.push([formText(name), parts.map(formText).join(',')]);
        else for (const each of [text].flat()) sent.push([formText(name), formText(`${each}`)]);
      }
    }
    if (isStyled) {
      request.query = values;
      queries.set(values, sent);
    }
    return failures;
  };
}

/**
 * Puts the value of a name to its parameter.
 *
 * @param raw - its text as it was sent
 * @returns its parts, if commas separate them
 */
function put(values: Texts, { name, style, field }: Place, text: unknown, raw: () => string): string[] | undefined {
  if (field !== undefined) {
    values[name] ??= Object.create(null);
    // A text of this name stays one, and fails its schema.
    if (typeof values[name] === 'object') (values[name] as Texts)[field] = text;
  } else if (style?.style === 'form') {
    // A comma separates only if it is not encoded.
    const parts = raw().split(',').map(decoded);
    values[name] = assembled(style, parts) ?? text;
    return parts;
  } else values[name] = style ? valueIn(style, `${text}`) : text;
  return undefined;
}

/** The fields of a form, of which some have styles. One that is no such value stays a text, and fails its schema. */
export function readFields(styles: Readonly<Record<string, Style>>, fields: Texts, text: string): Texts {
  const placeOf = placesOf(Object.entries(styles).map(([name, style]) => ({ name, style })));
  const values: Texts = Object.create(null);
  for (const [name, value] of Object.entries(fields))
    put(values, (typeof value === 'string' && placeOf(name)) || { name }, value, () => rawText(`?${text}`, name));
  return values;
}

/** The first value of a cookie. Some clients encode it as in a URL. */
function cookieIn(header = '', name: string): string | undefined {
  const pair = header.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair && querystring.unescape(pair.slice(name.length + 1));
}

/** The query of a request as it was sent, by its values, if these were made from several names or parts. */
const queries = new WeakMap<object, [name: string, text: string][]>();

/** The pairs of a query with other values, encoded. Names without a value are left out. */
export function sentQuery(values: object, others: Readonly<Record<string, string>>): string[] {
  const sent = queries.get(values);
  const plain = Object.entries(sent ? others : { ...values, ...others }).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[formText(name), formText(String(each))] as const])),
  );
  const kept = sent?.filter(([name]) => !Object.hasOwn(others, name)) ?? [];
  return [...kept, ...plain].map((pair) => pair.join('='));
}

/** A name or a value as in a form (URL, section 5.2). Most have nothing to encode. */
const formText = (text: string) => (/^[\w*.-]*$/.test(text) ? text : `${new URLSearchParams([['', text]])}`.slice(1));

/** Finds the parameter of a name in a query. The names of parameters go before those of fields. */
function placesOf<One extends Pick<Parameter, 'name' | 'style'>>(declared: One[], isList = (_: One) => false) {
  const places = new Map<string, Place>();
  const deep = new Map<string, Place>();
  let open: Place | undefined;
  for (const parameter of declared) {
    const { name, style } = parameter;
    const place = { name, isList: !style && isList(parameter), ...(style && { style }) };
    if (style?.style === 'deepObject') deep.set(name, place);
    else if (style?.of !== 'object' || !style.explode) places.set(name, place);
    else if (!style.names) open = place;
  }
  for (const { name, style } of declared)
    for (const field of style?.names ?? []) if (style && !places.has(field)) places.set(field, { name, style, field });
  return (name: string): Place | undefined => {
    const bracket = name.endsWith(']') ? name.lastIndexOf('[') : -1;
    const object = bracket < 0 ? undefined : deep.get(name.slice(0, bracket));
    const declaredPlace = places.get(name) ?? (object && { ...object, field: name.slice(bracket + 1, -1) });
    const place = declaredPlace ?? (open && { ...open, field: name });
    // An object with this name might change its prototype where it is copied.
    return place?.field === '__proto__' ? undefined : place;
  };
}

const DELIMITERS = { form: ',', simple: ',', spaceDelimited: ' ', pipeDelimited: '|', deepObject: ',' };

const valueIn = (style: Style, text: string): unknown =>
  assembled(
    style,
    text.split(DELIMITERS[style.style]).map((part) => (style.style === 'simple' ? part.trim() : part)),
  ) ?? text;

/** The list or the object of parts. Undefined if they are none, or have a field twice. */
function assembled({ of, style, explode }: Style, parts: string[]): unknown {
  if (of === 'list') return parts;
  const isAssigned = style === 'simple' && explode;
  if (!isAssigned && parts.length % 2 > 0) return undefined;
  const object: Texts = Object.create(null);
  for (let index = 0; index < parts.length; index += isAssigned ? 1 : 2) {
    const part = parts[index] ?? '';
    const end = part.indexOf('=');
    const [name, value] = isAssigned ? [part.slice(0, end), part.slice(end + 1)] : [part, parts[index + 1]];
    if ((isAssigned && end < 0) || name === '__proto__' || name in object) return undefined;
    object[name] = value;
  }
  return object;
}

/** The text of a query parameter as it is in the URL. */
function rawText(url: string, name: string): string {
  const query = url.indexOf('?');
  for (const pair of query < 0 ? [] : url.slice(query + 1).split('&')) {
    const end = pair.indexOf('=');
    if (decoded(end < 0 ? pair : pair.slice(0, end)) === name) return end < 0 ? '' : pair.slice(end + 1);
  }
  return '';
}

/** Whether a URL or a form is percent-encoded UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
