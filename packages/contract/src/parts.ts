/** The fields of forms that are not sent as texts. */
import {
  type Any,
  type Document,
  heldBy,
  kindsOf,
  type Media,
  partsIn,
  partsOf,
  rebuild,
  resolve,
  type Style,
  styleOf,
} from '@petstore-platform/openapi';
import type { FilePart } from '@petstore-platform/server-runtime/tools';
import { isJson, type Kind, kindOf } from './media.ts';

/** The fields of a form that are files, and those of an Encoding Object with a style, by name. Other objects, and lists of these, are JSON. */
export interface Parts {
  files: Record<string, FilePart>;
  json: string[];
  styles: Record<string, Style>;
  /** The reasons why fields cannot be sent, by name. */
  refused: Record<string, string>;
}

export function formParts(document: Document, kind: Kind | undefined, { schema, encoding = {} }: Media): Parts {
  const parts: Parts = { files: {}, json: [], styles: {}, refused: {} };
  if (kind !== 'form' && kind !== 'parts') return parts;
  const schemas = document.components?.schemas ?? {};
  const required = partsOf(schemas, schema).flatMap((part) => part.required ?? []);
  const fields = partsIn(schemas, schema).flatMap(({ properties = {} }) => Object.entries<Any>(properties));
  for (const [name, field] of fields) {
    const { contentType, style = 'form', explode = /^(form|deepObject)$/.test(style) } = Object(encoding[name]);
    const file = kind === 'parts' && fileIn(document, field, typeof contentType === 'string' ? contentType : undefined);
    const isStyled =
      kind === 'form' && ['style', 'explode', 'allowReserved'].some((key) => key in Object(encoding[name]));
    const { style: written, reason } = isStyled ? styleOf(schemas, { in: 'query', style, explode, schema: field }) : {};
    if (file) parts.files[name] ??= { ...(required.includes(name) && { required: true }), ...file };
    else if (reason) parts.refused[name] = reason;
    else if (written) parts.styles[name] = written;
    else if (!isStyled && isObject(schemas, field)) {
      parts.json.push(name);
      if (contentType !== undefined && !isJson(contentType))
        parts.refused[name] = `An object has no form as \`${contentType}\`: use \`application/json\`.`;
    }
  }
  return parts;
}

/** Whether a value, or an item of a list, is an object. */
const isObject = (schemas: Any, field: unknown, depth = 0): boolean =>
  kindsOf(schemas, field).has('object') ||
  (depth < 8 && heldBy(schemas, field, 'list').some((one) => isObject(schemas, one, depth + 1)));

/** A text of bytes, a list of these, or an alternative that is one. @param contentType - of the part, as the contract says */
function fileIn(document: Document, field: unknown, contentType?: string): FilePart | undefined {
  const schema: Any = Object(resolve(document, field));
  const { type, format, items, minItems, maxItems, maxLength, contentMediaType, contentEncoding } = schema;
  const types = [type ?? []].flat();
  const alternatives: Any[] = [schema.allOf ?? [], schema.oneOf ?? [], schema.anyOf ?? []].flat();
  const [found] = alternatives.flatMap((one) => fileIn(document, one, contentType) ?? []);
  if (found)
    return alternatives.some((one) => fileIn(document, one)?.many) ? { ...found, many: found.many ?? {} } : found;
  if (types.includes('array')) {
    const file = fileIn(document, items, contentType);
    const many = { ...(minItems && { min: minItems }), ...(maxItems !== undefined && { max: maxItems }) };
    return file && { ...file, many };
  }
  const media = contentType ?? contentMediaType;
  const isBinary = format === 'binary' || (media !== undefined && contentEncoding === undefined && isBytes(media));
  if (!isBinary || !(types.length === 0 || types.includes('string'))) return undefined;
  const named = `${media ?? ''}`.split(',').map((one) => one.trim().toLowerCase());
  const isAny = media === undefined || named.some((one) => ['*/*', 'application/octet-stream'].includes(one));
  return { ...(maxLength !== undefined && { max: maxLength }), ...(!isAny && { types: named }) };
}

const isBytes = (types: string) => types.split(',').every((type) => kindOf(type) === 'bytes' || /\/\*\s*$/.test(type));

/** Schemas without the limits of files, which the server checks as it reads them: a file counts as a text in a form. */
export const withoutFileLimits = (value: Any): Any =>
  rebuild(value, 'schema', (schema, kind) => {
    if (kind !== 'schema' || !(schema.format === 'binary' || schema.contentMediaType)) return schema;
    const { minLength, maxLength, pattern, contentMediaType, ...others } = schema;
    return others;
  });
