/**
 * Lists and objects in parameters: OpenAPI 3.2.0, "Style Examples".
 *
 * @module
 */
import { createQuerySerializer } from 'openapi-fetch';
import { isScalar } from './arguments.ts';
import { invariant } from './checks.ts';
import type { Operation, Params, Style } from './operation.ts';
import type { Sdk } from './sdk.ts';

const plainQuery = createQuerySerializer();

/**
 * The options of calls of operations with such parameters, as texts. A value that a server could not read as it was meant is refused.
 *
 * @param formatOf - makes the options of bodies that are not JSON
 */
export function stylesOf(formatOf?: Sdk['formatOf']): NonNullable<Sdk['formatOf']> {
  return (operation, options) => {
    const init = formatOf?.(operation, options) ?? options;
    const { params: values, bodySerializer: serialize } = init as { params?: Params; bodySerializer?: Serializer };
    const { styles, fields } = operation;
    const form: Serializer = (body) => {
      const parameters = Object.fromEntries(Object.keys(body).map((name) => [name, 'query' as const]));
      const { params, pairs } = written({ styles: fields ?? {}, parameters }, { query: body });
      return joined((serialize as Serializer)(Object.keys(body).length > 0 ? (params.query ?? {}) : body), pairs);
    };
    const styled = fields ? { ...init, bodySerializer: form } : init;
    if (!values || !(styles || values.cookie)) return styled;
    const { params, pairs } = written(operation, values);
    const querySerializer: Serializer = (query) => joined(plainQuery(query), pairs);
    return { querySerializer, ...styled, params, values };
  };
}

type Serializer = (values: Record<string, unknown>) => string;

const joined = (first: string, pairs: string[]) => [first, ...pairs].filter(Boolean).join('&');

/**
 * Parameters as texts, cookies in their header.
 *
 * @returns `pairs`: parts of the query, encoded; `params`: all else
 * @throws TypeError for a value that its style cannot express
 */
export function written({ styles = {}, parameters = {} }: Pick<Operation, 'styles' | 'parameters'>, input: Params) {
  const params: Record<string, Record<string, unknown>> = {};
  const pairs: string[] = [];
  const styleOf = (name: string) => (Object.hasOwn(styles, name) ? styles[name] : undefined);
  const isSpread = (style?: Style) => style?.of === 'object' && style.explode;
  /** The query parameters that are sent by their own names. */
  const plain = Object.keys(parameters).filter((name) => parameters[name] === 'query' && !isSpread(styleOf(name)));
  for (const [place, values = {}] of Object.entries(input)) {
    const texts: Record<string, unknown> = {};
    params[place] = texts;
    for (const [name, value] of Object.entries(values)) {
      const style = styleOf(name);
      if (!style || typeof value !== 'object' || value === null) texts[name] = value;
      else if (place === 'query') pairs.push(...pairsOf(name, style, partsOf(name, style, value), plain));
      else texts[name] = simple(name, style, partsOf(name, style, value));
    }
  }
  const { cookie = {}, ...others } = params;
  const cookies = Object.entries(cookie).flatMap(([name, value]) => {
    if (value === undefined) return [];
    invariant(isScalar(value), `${name} must be a string, a safe number or a boolean`);
    return `${name}=${encodeURIComponent(value as string)}`;
  });
  if (cookies.length > 0) others.header = { ...others.header, Cookie: cookies.join('; ') };
  return { params: others, pairs };
}

type Parts = [key: string, value: string][];

/** The items of a list, or the fields of an object, without those that are undefined. */
function partsOf(name: string, { of }: Style, value: object): Parts {
  invariant((of === 'list') === Array.isArray(value), `${name} must be ${of === 'list' ? 'a list' : 'an object'}`);
  const parts = Object.entries(value).filter(([, one]) => of === 'list' || one !== undefined);
  for (const [key, one] of parts)
    invariant(isScalar(key) && isScalar(one), `${name}.${key} must be a string, a safe number or a boolean`);
  return parts.map(([key, one]) => [key, `${one}`]);
}

const DELIMITERS: { [style: string]: string } = { simple: ',', spaceDelimited: ' ', pipeDelimited: '|' };

function pairsOf(name: string, rule: Style, parts: Parts, plain: string[]): string[] {
  const { style, explode, of } = rule;
  const isDeep = style === 'deepObject';
  if (isDeep || (of === 'object' && explode))
    return parts.map(([key, value]) => {
      invariant(!isDeep || !key.includes('['), `${name}: the name ${JSON.stringify(key)} has a bracket`);
      invariant(isDeep || !plain.includes(key), `${name}: ${JSON.stringify(key)} is another parameter`);
      return `${encodeURIComponent(isDeep ? `${name}[${key}]` : key)}=${encodeURIComponent(value)}`;
    });
  if (parts.length === 0) return [];
  const [texts, separator] = separated(name, rule, parts);
  const encoded = texts.map(encodeURIComponent).join(encodeURIComponent(separator).replace('%2C', ','));
  return [`${encodeURIComponent(name)}=${encoded}`];
}

/** Of a header or in the path. Undefined: there is nothing to send. */
function simple(name: string, style: Style, parts: Parts): string | undefined {
  if (parts.length === 0) return undefined;
  const [texts, separator] = separated(name, style, parts);
  if (style.of === 'list' || !style.explode) return texts.join(separator);
  for (const [key] of parts) invariant(!key.includes('='), `${name}: the name ${JSON.stringify(key)} has a "="`);
  return parts.map((each) => each.join('=')).join(separator);
}

/** The texts of a value, and their separator, which none of them may have. A comma in a query separates only if it is not encoded. */
function separated(name: string, { style, of }: Style, parts: Parts): [texts: string[], separator: string] {
  const texts = of === 'list' ? parts.map(([, value]) => value) : parts.flat();
  const separator = DELIMITERS[style];
  for (const text of separator ? texts : [])
    invariant(
      !text.includes(`${separator}`) && (style !== 'simple' || text === text.trim()),
      `${name}: ${JSON.stringify(text)} has ${JSON.stringify(separator)} or a space at an end, which separates values`,
    );
  return [texts, separator ?? ','];
}
