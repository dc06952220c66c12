/** Decides what the platform does where a contract is silent, or says what no server of it can do. Each decision is a note. */
import {
  type Any,
  type Document,
  freeName,
  isMap,
  kindIn,
  mapValues,
  normalize,
  operationsIn,
  originOf,
  parameterOf,
  type Report,
  rebuild,
  refTo,
  resolve,
  styleOf,
} from '@petstore-platform/openapi';
import { pascalCase } from './contract.ts';
import { isFailure } from './failures.ts';
import { fitIn } from './fits.ts';
import { chooseMedia, mediaOf } from './media.ts';

/** The bounds of a page, for a list whose author gives none. */
const PAGE = { minimum: 1, maximum: 100, default: 20 };
/** The methods that the server does not serve. */
const UNSERVED = ['trace', 'query'];

export const NO_SCHEMA = 'Give the parameter a `schema`: the server and the SDK do not support `content`.';

const ONE_BASE = 'It is not read: all operations have the same base path.';

type Warn = (rule: string, at: unknown, message: string, key?: string) => void;

/** @param written - the contract in one piece */
export function decide(written: Document, report: Report): Document {
  const warn: Warn = (...note) => report('warning', ...note);
  const schemas: Any[] = [];
  const root: Document = rebuild(written, 'document', (original, kind) => {
    const value = mapValues(original, (one, key) => (kindIn(kind, key) || BOUND.test(key) ? one : plain(one)));
    if (kind === 'parameter' && !(value.$ref || value.schema || value.content))
      return { ...value, schema: { type: 'string' } };
    if (kind !== 'schema') return value;
    const schema = bounded(value, warn);
    if (schema.default !== undefined) schemas.push(schema);
    return schema;
  });
  for (const schema of schemas.length > 0 ? misfits(root, schemas) : []) {
    warn('default', schema, 'The `default` is not read: its own schema does not admit it.', 'default');
    delete schema.default;
  }
  root.paths ??= {};
  for (const path of Object.keys(root.paths).filter((one) => /[?#]/.test(one))) {
    warn('paths', root.paths[path], 'No request has this path, as it has a query or a fragment: it is left out.');
    delete root.paths[path];
  }
  const { version } = Object(root.info);
  if (typeof version === 'number') {
    const message = `\`version\` is read as the text \`${version}\`: write it in quotes.`;
    warn('info', originOf(root)?.at('info', 'version'), message);
    root.info = { ...root.info, version: `${version}` };
  }
  if (!Array.isArray(root.servers) || root.servers.length === 0)
    warn('servers', root, 'No server is declared: the API is at `/`, and the SDK needs `baseUrl`.');
  for (const item of new Set(Object.values<Any>(root.paths).map((one) => Object(resolve(root, one))))) {
    for (const key of [...UNSERVED, 'additionalOperations'])
      if (item[key] !== undefined) {
        warn('methods', item, `The server does not serve \`${key}\`: it is left out.`, key);
        delete item[key];
      }
    if (item.servers) warn('servers', item, ONE_BASE, 'servers');
  }
  const ids = new Map<string, unknown>();
  const operations = operationsIn(root);
  for (const { operation } of operations)
    if (typeof operation.operationId === 'string' && !ids.has(operation.operationId))
      ids.set(operation.operationId, operation);
  for (const { path, item, method, operation } of operations) {
    if (operation.servers) warn('servers', operation, ONE_BASE, 'servers');
    named(operation, method, path, ids, warn);
    for (const holder of [item, operation])
      if (Array.isArray(holder.parameters))
        holder.parameters = holder.parameters.filter((one: unknown) => isServed(root, resolve(root, one), warn));
    if (['get', 'head'].includes(method) && operation.requestBody !== undefined) {
      const message = `It is not read: a ${method.toUpperCase()} has no body (RFC 9110, section 9.3).`;
      warn('methods', operation, message, 'requestBody');
      delete operation.requestBody;
    }
    chooseMedia(resolve(root, operation.requestBody), false, report);
    operation.responses = answers(root, operation, warn);
    for (const [status, response] of Object.entries(operation.responses))
      if (!isFailure(status)) chooseMedia(resolve(root, response), true, report);
    if (method === 'get') listed(root, item, operation, warn);
  }
  return root;
}

/** Bounds of a schema, of which a warning tells that JSON clients round them. */
const BOUND = /^(exclusiveM|m)(in|ax)imum$/;

/** A value without big integers, which JSON does not have. */
const plain = (value: Any): Any => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return isMap(value) ? mapValues(value, plain) : value;
};

/** Limits an int64 to the range that JSON clients read exactly (RFC 7493, section 2.2). */
function bounded(schema: Any, warn: Warn): Any {
  const copy = { ...schema };
  const isInt64 = /^u?int64$/.test(schema.format) && [schema.type].flat().includes('integer');
  for (const side of ['Minimum', 'Maximum']) {
    const [bound, exclusive] = [side.toLowerCase(), `exclusive${side}`];
    const limit = side === 'Minimum' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
    for (const key of [bound, exclusive]) {
      if (typeof copy[key] === 'bigint') copy[key] = Number(copy[key]);
      if (typeof copy[key] !== 'number' || Math.abs(copy[key]) <= Number.MAX_SAFE_INTEGER || !isInt64) continue;
      warn('int64', schema, `\`${key}\` is read as ${limit}: JSON clients round integers beyond it.`, key);
      copy[key] = limit;
    }
    // In OpenAPI 3.0 an exclusive bound is a boolean beside the bound.
    if (isInt64 && typeof copy[exclusive] !== 'number') copy[bound] ??= limit;
  }
  return copy;
}

/** Whether the server reads a parameter. An optional one that it does not read is left out. */
function isServed(root: Document, parameter: Any, warn: Warn): boolean {
  if (!isMap(parameter) || parameter.required === true || parameter.in === 'path') return true;
  const { reason } = parameter.content
    ? { reason: NO_SCHEMA }
    : styleOf(root.components?.schemas ?? {}, parameterOf(root, parameter));
  if (reason) warn('parameters', parameter, `It is not read: requests are without it. ${reason}`);
  return !reason;
}

/** The schemas whose defaults they do not admit themselves, so that each request without the value would be invalid. */
function misfits(root: Document, schemas: Any[]): Any[] {
  const named = Object.fromEntries(schemas.map((schema, index) => [`default ${index}`, schema]));
  const components = { ...root.components, schemas: { ...root.components?.schemas, ...named } };
  const fits = fitIn(normalize({ ...root, components }).document as never);
  return schemas.filter((schema, index) => !fits({ $ref: refTo(`default ${index}`) }, schema.default));
}

/** Gives an operation an id if it has none of its own. */
function named(operation: Any, method: string, path: string, ids: Map<string, unknown>, warn: Warn): void {
  const { operationId: written } = operation;
  if (ids.get(written) === operation) return;
  const id = freeName(derivedId(method, path), (one) => ids.has(one));
  ids.set(id, operation);
  operation.operationId = id;
  const why = typeof written === 'string' ? `, because \`${written}\` is the id of another` : '';
  warn('operation-id', operation, `The operation is called \`${id}\`${why}.`);
}

/** The responses of an operation, at least one of which is a success or a redirection. */
function answers(root: Document, operation: Any, warn: Warn): Any {
  const all: Any = {};
  for (const [status, one] of Object.entries<Any>(Object(operation.responses)))
    all[/^[1-5]xx$/i.test(status) ? status.toUpperCase() : status] = one;
  if (Object.keys(all).some((status) => /^[23]\d\d$/.test(status))) return all;
  const [range, other] = [all['2XX'], resolve(root, all.default)];
  const tell = (message: string) => warn('responses', operation, message, 'responses');
  if (range) {
    tell('`2XX` is read as `200`: a handler answers with one status.');
    delete all['2XX'];
    return { 200: range, ...all };
  }
  const [media] = Object.values<Any>(Object(other?.content));
  const isFailing = /error|fail|problem/i.test(JSON.stringify([other?.description, media?.schema]));
  if (other && !isFailing) {
    tell('`default` is read as `200`, because no success is declared.');
    const { default: ok, ...others } = all;
    return { 200: ok, ...others };
  }
  tell('No success is declared: `204` is read.');
  return { 204: { description: 'Done.' }, ...all };
}

/** Gives the `limit` of a list its bounds, without which a client would select any number of rows. */
function listed(root: Document, item: Any, operation: Any, warn: Warn): void {
  const schema = resolve(root, mediaOf<Any>(resolve(root, operation.responses['200'])?.content)[1]?.schema);
  if (schema?.type !== 'array') return;
  const parameters = operation.parameters ?? [];
  const shared = item.parameters ?? [];
  const isLimit = (one: Any) => `${resolve(root, one)?.in} ${resolve(root, one)?.name}` === 'query limit';
  const written = parameters.find(isLimit) ?? shared.find(isLimit);
  if (!written) {
    const message =
      'This array has no pages, as it has no query parameter `limit`: its handler bounds it. Declare `limit`, or say why not in `x-unpaged`.';
    if (operation['x-unpaged'] === undefined) warn('unpaged', operation, message);
    return;
  }
  const found = resolve(root, written);
  const limit = resolve(root, found.schema) ?? {};
  const lacked = Object.keys(PAGE).filter((key) => limit[key] === undefined);
  if (lacked.length === 0 && limit.type === 'integer') return;
  const { minimum, maximum, default: usual } = { ...PAGE, ...limit };
  const bounds = { minimum, maximum, default: Math.min(Math.max(usual, minimum), maximum) };
  const gets = `\`limit\` gets its ${lacked.join(', ') || 'type'}`;
  warn('limit', found, `${gets}: an integer of ${minimum} to ${maximum}, ${bounds.default} by default.`);
  const { $ref: _, nullable: _nullable, ...others } = limit;
  const bound = { ...found, schema: { ...others, type: 'integer', ...bounds } };
  operation.parameters = parameters.includes(written)
    ? parameters.map((one: Any) => (one === written ? bound : one))
    : [...parameters, bound];
}

/** `get /users/{id}` → `getUsersById` */
function derivedId(method: string, path: string): string {
  const text = `${method} ${path.replace(/\{([^{}]*)\}/g, ' by $1 ')}`.normalize('NFKD');
  const [first = '', ...others] = text.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return first + others.map(pascalCase).join('');
}
