/** Completes a contract: adds what the platform does for every operation, before anything else reads it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { METHODS } from '@repo/openapi';
import { parse } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: the document is as its author wrote it; the lint checks it after this.
type Any = any;

/** The file with the platform's additions to the contracts of a workspace. Undefined without one. */
export function platformIn(root: string): string | undefined {
  const file = path.join(root, PLATFORM);
  return existsSync(file) ? file : undefined;
}

export const PLATFORM = 'packages/contract/platform.yaml';

type Facts = Record<
  'query' | 'header' | 'path' | 'body' | 'changes' | 'idempotent' | 'list' | 'deprecated' | 'any',
  boolean
>;

interface Rule {
  if: keyof Facts;
  /** The operations to which the rule applies, as the table in openapi/README.md names them. */
  to: string;
  parameters?: string[];
  /** Headers of successful responses. The platform's responses have those of failures. */
  headers?: string[];
  responses?: Record<string, string>;
}

/** The components that completion adds to an operation. */
export const RULES: Rule[] = [
  {
    if: 'list',
    to: 'a `GET` with an array as 200 and the query parameter `limit`',
    parameters: ['Cursor'],
    headers: ['Link'],
  },
  { if: 'changes', to: 'a `POST`, `PATCH` or `DELETE` without `x-not-idempotent`', parameters: ['IdempotencyKey'] },
  { if: 'deprecated', to: 'one with `deprecated: true`', headers: ['Deprecation', 'Sunset', 'Link'] },
  { if: 'query', to: 'one with a query parameter', responses: { '400': 'BadRequest' } },
  { if: 'header', to: 'one with a header parameter', responses: { '400': 'BadRequest' } },
  { if: 'path', to: 'one with a path parameter', responses: { '404': 'NotFound' } },
  {
    if: 'body',
    to: 'one with a body',
    responses: { '400': 'BadRequest', '413': 'ContentTooLarge', '415': 'UnsupportedMediaType' },
  },
  {
    if: 'idempotent',
    to: 'one with an `Idempotency-Key`',
    responses: { '409': 'IdempotencyKeyInUse', '422': 'IdempotencyKeyReused' },
  },
  {
    if: 'any',
    to: 'every operation',
    headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'],
    responses: {
      '401': 'Unauthorized',
      '429': 'TooManyRequests',
      '500': 'InternalServerError',
      '503': 'ServiceUnavailable',
      default: 'OtherFailure',
    },
  },
];

const RESPONSES: Record<string, string> = Object.assign({}, ...RULES.map(({ responses }) => responses));

/** A value, and the file that it stands in. */
interface Found {
  value: Any;
  file: string;
}

/** A document of one or several files. */
export interface Written extends Found {
  /** Follows the `$ref`s of a value. Undefined for one that leads nowhere. */
  follow: (value: Any, file: string) => Found | undefined;
  /** @param keys - a place in the root */
  report?: (message: string, keys: string[]) => void;
}

/** Makes a reference from a file to a component of the platform, and adds the component. */
type Refer = (kind: string, name: string, from: string) => { $ref: string };

/**
 * Completes a contract in place. Each operation gets its part of {@link RULES}, and the document gets the components for these, the
 * security scheme and the plans of the platform. The contract's own codes are added to those of a failure. A component of the
 * contract takes precedence if it fits.
 *
 * @returns the keys of the added components, as `schemas/Error`
 */
export function complete({ value: root, file, follow, report }: Written, platformFile: string): Set<string> {
  const { components, ...platform }: Any = parse(readFileSync(platformFile, 'utf8'));
  const needed = new Set<string>();
  const added = new Set<string>();
  const refer: Refer = (kind, name, from) => {
    const [key, own] = [`${kind}/${name}`, root.components?.[kind]?.[name]];
    const component = components[kind][name];
    const found = own && !needed.has(key) && follow(own, file);
    const misfit = found && misfitOf(found.value, component, (value) => follow(value, found.file)?.value);
    if (misfit) report?.(misfit, ['components', kind, name]);
    if (!own && !added.has(key)) {
      added.add(key);
      for (const [, ...keys] of JSON.stringify(component).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
        refer(...(keys as [string, string]), file);
    }
    needed.add(key);
    // A reference in another file has to name the root.
    return { $ref: `${from === file ? '' : file}#/components/${key}` };
  };
  root['x-rate-limit-plans'] ??= platform['x-rate-limit-plans'];
  if (!root.security) {
    root.security = [{ bearerAuth: [] }];
    refer('securitySchemes', 'bearerAuth', file);
  }
  const operations = Object.values<Any>(Object(root.paths)).flatMap((path) => {
    const item = follow(path, file);
    const methods = METHODS.map((method) => [method, item?.value?.[method]] as const).filter(([, value]) => value);
    return item ? methods.map(([method, operation]) => ({ item, method, operation })) : [];
  });
  // Two paths may share an item.
  for (const one of new Map(operations.map((each) => [each.operation, each])).values())
    if (isObject(one.operation?.responses)) completeOperation(one, { follow, refer, components });
  if (added.size > 0) root.components = withAdded(root.components ?? {}, components, added);
  const codes = root['x-error-codes'];
  if (added.has('schemas/Error') && Array.isArray(codes))
    root.components.schemas.Error.properties.code['x-extensible-enum'].push(...codes);
  return added;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The components of a contract with the added ones, in the platform's order. */
function withAdded(own: Any, platform: Any, added: Set<string>): Any {
  const kinds = Object.keys({ ...platform, ...own }).map((kind) => {
    const copied = Object.entries(platform[kind] ?? {}).filter(([name]) => added.has(`${kind}/${name}`));
    return [kind, { ...own[kind], ...structuredClone(Object.fromEntries(copied)) }] as const;
  });
  return Object.fromEntries(kinds.filter(([kind, components]) => own[kind] || Object.keys(components).length > 0));
}

/** The reason why a component of the contract cannot replace the platform's of the same name; undefined if it can. */
function misfitOf(own: Any, platform: Any, follow: (value: Any) => Any): string | undefined {
  const name = 'The platform has a component of this name. Remove this one, rename it, or give it';
  const at = (value: Any, keys: string[]) => keys.reduce((node, key) => Object(node)[key], value);
  for (const keys of [['type'], ['scheme'], ['in'], ['name'], ['schema', 'type']]) {
    const [wanted, found] = [at(platform, keys), at(own, keys)];
    // A string fits in any case, because every header is one.
    const fits = `${found}`.toLowerCase() === `${wanted}`.toLowerCase() || (keys.length > 1 && found === 'string');
    if (wanted !== undefined && !fits)
      return `${name} \`${keys.join(': { ')}: ${wanted}${keys.length > 1 ? ' }' : ''}\`.`;
  }
  if (!platform.properties) return undefined;
  const [fields, required]: [string[], string[]] = [platform.required ?? [], Object(own).required ?? []];
  const fits =
    required.length === fields.length && fields.every((one) => required.includes(one) && own.properties?.[one]);
  if (!fits) return `${name} the required fields ${fields.join(', ')}, and no others.`;
  const types = fields.map((field) => [field, platform.properties[field].type, follow(own.properties[field])?.type]);
  const [other] = types.filter(([, wanted, found]) => found !== undefined && `${[found].flat()}` !== wanted);
  return other && `${name} \`properties: { ${other[0]}: { type: ${other[1]} } }\`.`;
}

interface Means {
  follow: Written['follow'];
  refer: Refer;
  /** Components of the platform. */
  components: Any;
}

function completeOperation({ item, method, operation }: { item: Found; method: string; operation: Any }, means: Means) {
  const { follow, refer, components } = means;
  const { file } = item;
  const lists = [item.value.parameters ?? [], operation.parameters ?? []];
  // Redocly reports it at its place.
  if (!lists.every(Array.isArray)) return;
  const parameters = lists.flat();
  const known = parameters.flatMap((each) => follow(each, file)?.value ?? []);
  const has = (place: string, name = '') =>
    known.some((each) => each.in === place && (!name || `${each.name}`.toLowerCase() === name.toLowerCase()));
  const { responses: own } = operation;
  const at = follow(own, file);
  // The responses are copied, because operations may share an anchor or a reference.
  const responses: Any = { ...at?.value };
  const ok = at && follow(responses['200'], at.file);
  const body = ok && follow(ok.value?.content?.['application/json']?.schema, ok.file)?.value;
  const changes = ['post', 'patch', 'delete'].includes(method) && operation['x-not-idempotent'] === undefined;
  const list = method === 'get' && body?.type === 'array' && has('query', 'limit');
  const facts: Facts = {
    list,
    changes,
    deprecated: operation.deprecated === true,
    query: has('query'),
    header: has('header') || changes,
    path: has('path'),
    body: operation.requestBody !== undefined,
    idempotent: changes || has('header', 'Idempotency-Key'),
    any: true,
  };
  const rules = RULES.filter((rule) => facts[rule.if]);
  const lacked = rules.flatMap(({ parameters = [] }) =>
    parameters.filter((name) => !has(components.parameters[name].in, components.parameters[name].name)),
  );
  if (lacked.length > 0)
    operation.parameters = [...(operation.parameters ?? []), ...lacked.map((name) => refer('parameters', name, file))];
  const headers = rules.flatMap((rule) => rule.headers ?? []);
  for (const [status, value] of Object.entries(responses)) {
    const ref = own.$ref && { $ref: `${own.$ref.includes('#') ? own.$ref : `${own.$ref}#`}/${status}` };
    responses[status] = completeResponse(status, { value, file: at?.file ?? file }, headers, means, ref);
  }
  for (const [status, name] of rules.flatMap((rule) => Object.entries(rule.responses ?? {})))
    if (!(status in responses)) responses[status] = refer('responses', name, file);
  operation.responses = responses;
}

/**
 * Completes a response that the contract declares, with the headers of its status, and the Error body if a failure has none.
 *
 * @param ref - the reference to it, if it is not written in its operation
 */
function completeResponse(status: string, written: Found, headers: string[], means: Means, ref?: Any): Any {
  const { follow, refer, components } = means;
  const found = follow(written.value, written.file);
  if (!found || !isObject(found.value)) return ref ?? written.value;
  const isFailure = /^([45]|default)/.test(status);
  const wanted = isFailure ? Object.keys(components.responses[RESPONSES[status] ?? 'OtherFailure'].headers) : headers;
  const { description, headers: own, ...others } = found.value;
  const known = Object.keys(own ?? {}).map((name) => name.toLowerCase());
  const lacked = wanted.filter((name) => !known.includes(name.toLowerCase()));
  const body = isFailure &&
    !others.content && { 'application/json': { schema: refer('schemas', 'Error', found.file) } };
  if (lacked.length === 0 && !body) return ref ?? written.value;
  const added = Object.fromEntries(lacked.map((name) => [name, refer('headers', name, found.file)]));
  const response = { description, headers: { ...own, ...added }, ...others, ...(body && { content: body }) };
  // A response that operations share is completed in its place, and gets the headers of all of them.
  if (!ref && !written.value.$ref) return response;
  Object.assign(found.value, response);
  return ref ?? written.value;
}

/** Limits an int64 without bounds to the range that JSON clients read exactly (RFC 7493, section 2.2). */
export function bound(schema: Any): void {
  if (schema?.format !== 'int64' || ![schema.type].flat().includes('integer')) return;
  // In OpenAPI 3.0 an exclusive bound is a boolean beside the bound.
  if (typeof schema.exclusiveMinimum !== 'number') schema.minimum ??= -Number.MAX_SAFE_INTEGER;
  if (typeof schema.exclusiveMaximum !== 'number') schema.maximum ??= Number.MAX_SAFE_INTEGER;
}
