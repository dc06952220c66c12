import type { AnySchema } from 'ajv/dist/2020.js';
import type { Operation, Parameter, Style } from './operation.ts';
import { FORM } from './parsers.ts';
import { propertiesOf, typesOf } from './plugin.ts';
import { unescapePointer } from './reasons.ts';
import { Compiler, type Schemas } from './schemas.ts';

/** A document of OpenAPI 3.1 in one piece. */
export interface OpenApiDocument {
  paths?: object;
  components?: { schemas?: object };
}

// biome-ignore lint/suspicious/noExplicitAny: a document that is not typed
type Any = any;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** The parameters that OpenAPI ignores (Parameter Object, `in: header`). */
const IGNORED = /^(accept|content-type|authorization)$/i;

/**
 * Reads the operations of a document for `config.openapi`, by operationId.
 *
 * @throws Error for a parameter that cannot be validated: one of the style `matrix` or `label`, or with `content`
 */
export function operationsOf(document: OpenApiDocument): Record<string, Operation> {
  const compiler = new Compiler(document.components?.schemas as Schemas);
  const resolve = (part: Any): Any => (typeof part?.$ref === 'string' ? resolve(partAt(document, part.$ref)) : part);
  const parameterOf = (one: Any): Parameter => {
    const style = styleOf(compiler, one);
    return { in: one.in, name: one.name, required: one.required === true, schema: one.schema, ...(style && { style }) };
  };
  const operations: Record<string, Operation> = {};
  for (const item of Object.values<Any>(document.paths ?? {}).map(resolve))
    for (const { operationId: id, parameters = [], requestBody } of METHODS.flatMap((method) => item[method] ?? [])) {
      if (id === undefined) continue;
      // Those of the operation go before those of its path.
      const all = [...(item.parameters ?? []), ...parameters].map(resolve).map((one) => [`${one.in} ${one.name}`, one]);
      const own = [...new Map<string, Any>(all as [string, Any][]).values()];
      const declared = own.filter((one) => one.in !== 'header' || !IGNORED.test(one.name)).map(parameterOf);
      const { required = false, content = {} } = resolve(requestBody) ?? {};
      const [[type, { schema = true }] = ['', {}]] = Object.entries<Any>(content);
      const body = { required, media: { type, kind: kindOf(type) }, schema };
      operations[id] = { parameters: declared, ...(requestBody && { body }) };
    }
  return operations;
}

const kindOf = (type: string) => (type === FORM ? 'form' : type === 'multipart/form-data' ? 'parts' : 'any');

const partAt = (document: object, ref: string): Any =>
  ref
    .split('/')
    .slice(1)
    .reduce((part: Any, key) => part?.[unescapePointer(decodeURIComponent(key))], document);

/** The style of a list or of an object. Undefined for a simple value, and for a repeated query parameter. */
function styleOf(compiler: Compiler, { in: place, name, schema, style, explode }: Any): Style | undefined {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const { style: own, explode: isExploded } = {
    style: style ?? usual,
    explode: explode ?? (style ?? usual) === 'form',
  };
  const types = schema === undefined ? [] : typesOf(compiler, schema as AnySchema);
  const of = types.includes('array') ? 'list' : types.includes('object') ? 'object' : undefined;
  if (/^(matrix|label)$/.test(own) || schema === undefined || (place === 'cookie' && of && isExploded))
    throw new Error(`The parameter ${name} in the ${place} cannot be validated`);
  if (!of || (place === 'query' && of === 'list' && isExploded)) return undefined;
  const names = Object.keys(propertiesOf(compiler, schema as AnySchema));
  const hasNames = of === 'object' && own === 'form' && isExploded && names.length > 0;
  // A cookie has the separators of a header.
  return { style: place === 'cookie' ? 'simple' : own, explode: isExploded, of, ...(hasNames && { names }) };
}
