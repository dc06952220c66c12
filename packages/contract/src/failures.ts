/** The failures of a contract that has a body of its own for them, in place of the platform's Error. */
import {
  type Any,
  type Document,
  isMap,
  keysOf,
  mapValues,
  operationsIn,
  partsIn,
  type Report,
  resolve,
  schemaIn,
} from '@petstore-platform/openapi';
import { bare, isJson, JSON_MEDIA } from './media.ts';

/** `x-error` at the root of a completed contract. Without it, each failure has the platform's Error. */
export interface ErrorBody {
  /** The component for the failures that the contract does not describe. Absent: a schema without a name. */
  schema?: string;
  /** The media type of all of them. */
  type: string;
  /** JSON pointers of the texts in a body that tell the code and the message of a failure. Without `code`, `X-Error-Code` has it. */
  code?: string | undefined;
  message?: string | undefined;
  /** That of a map of messages by field: a text for each, or a list of texts. */
  fields?: string | undefined;
}

/** The header with the code of a failure whose body has no place for it. */
export const CODE_HEADER = 'X-Error-Code';

export const isFailure = (status: string) => /^([45](\d\d|XX)|default)$/i.test(status);

/**
 * The failures of a contract that describes a body of its own for one of them, or has an `x-error`. All are sent as one media type: the
 * other types of a failure are left out.
 *
 * @param isPlatforms - whether a schema is the platform's Error
 * @returns the content of failures that the contract does not describe, and whether it tells their code
 */
export function errorBodyIn(root: Document, isPlatforms: (schema: Any) => boolean, report: Report) {
  const declared = isMap(root['x-error']) ? (root['x-error'] as Any) : undefined;
  const failing = responsesIn(root).filter(([status, one]) => isFailure(status) && isMap(one?.content));
  const responses = new Set(failing.map(([, one]) => one));
  const bodies = [...responses].flatMap(({ content }) =>
    Object.entries<Any>(content).flatMap(([written, media]) =>
      isJson(written) ? { type: bare(written), schema: resolve(root, media)?.schema } : [],
    ),
  );
  const described = bodies.filter(({ schema }) => schema !== undefined);
  const isOwn = declared || !described.every(({ schema, type }) => type === JSON_MEDIA && isPlatforms(schema));
  if (!isOwn) {
    for (const response of responses) withoutOthers(response, JSON_MEDIA, report);
    return undefined;
  }
  const [schema, ...others] = declared?.schema
    ? [referenceOf(declared.schema)]
    : byFrequency(described.map((one) => baseOf(one.schema)));
  const [type = JSON_MEDIA] = declared?.type ? [declared.type] : byFrequency(bodies.map((one) => one.type));
  if (schema === undefined || resolve(root, schema) === undefined) {
    const message = '`x-error` needs the `schema` of failures: the name of a component.';
    report('error', 'failures', root, message, 'x-error');
    return undefined;
  }
  if (others.length > 0) {
    const named = schemaIn(schema.$ref) ?? 'the most frequent one';
    const message = `Failures have ${others.length + 1} schemas. Those that the contract does not describe are read as \`${named}\`: \`x-error: { schema }\` names another.`;
    report('warning', 'failures', root, message);
  }
  for (const response of responses) {
    const media = resolve(root, withoutOthers(response, type, report));
    response.content = { [type]: { ...media, schema: media?.schema ?? schema } };
  }
  const name = schemaIn(schema.$ref);
  const failures: ErrorBody = { ...(name !== undefined && { schema: name }), type };
  for (const [key, names] of Object.entries(NAMES) as ['code' | 'message', string[]][]) {
    const place = declared?.[key] === undefined ? placeOf(root, schema, key) : declared[key];
    // An author whose failures have codes of their own says so by null.
    if (place === undefined || place === null) continue;
    const message = `\`${key}\` is no pointer to a field for any text, such as \`/${names[0]}\`.`;
    if (isText(root, at(root, schema, place), key === 'code')) failures[key] = place;
    else report('error', 'failures', root, message, 'x-error');
  }
  const fields = MAPS.find((one) => isMessages(root, schema, one));
  if (fields !== undefined) failures.fields = fields;
  const silent = `The message of a failure has no place in \`${name ?? 'its schema'}\`: \`x-error: { message }\` names one; null says that there is none.`;
  if (failures.message === undefined && fields === undefined && declared?.message !== null)
    report('warning', 'failures', root, silent);
  root['x-error'] = failures;
  return { content: { [type]: { schema } }, hasCode: failures.code !== undefined };
}

type Failures = NonNullable<ReturnType<typeof errorBodyIn>>;

/** The responses of all operations, each with its status. */
const responsesIn = (root: Document): [status: string, response: Any][] =>
  operationsIn(root).flatMap(({ operation }) =>
    Object.entries<Any>(mapValues(Object(operation.responses), (one) => resolve(root, one))),
  );

/** The platform's components, with the body that the failures of a contract have. The root lists the codes of both. */
export function withFailures(root: Document, components: Any, { hasCode, content }: Failures): Any {
  const { Error: error, FieldError: _, ...schemas } = components.schemas;
  root['x-error-codes'] = error.properties.code['x-extensible-enum'];
  const code = !hasCode && { [CODE_HEADER]: { $ref: `#/components/headers/${CODE_HEADER}` } };
  const responses = mapValues(components.responses, ({ headers, ...response }) => {
    return { ...response, headers: { ...headers, ...code }, content };
  });
  return { ...components, schemas, responses };
}

/** Lists the codes of a contract at its root, those that its operations and their responses name included, and in the platform's Error. */
export function listCodes(root: Document, platforms: Any): void {
  const holders = [
    root,
    ...operationsIn(root).map(({ operation }) => operation),
    ...responsesIn(root).map(([, one]) => one),
  ];
  const codes = holders.flatMap((holder) => Object(holder)['x-error-codes'] ?? []);
  if (codes.length === 0) return;
  root['x-error-codes'] = [...new Set(codes)];
  platforms.properties.code['x-extensible-enum'].push(...root['x-error-codes']);
}

/** The codes of failures by status: those in examples, those that a response names, and those of the contract for which neither tells a status. */
export function codesByStatus(document: Document): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const samples = responsesIn(document).flatMap(([key, response]) => {
    const { content, 'x-error-codes': named } = Object(response);
    const codes: string[] = named ?? [];
    const examples = Object.values<Any>(Object(content)).flatMap(({ example, examples = {} }) =>
      [{ value: example }, ...Object.values<Any>(examples)].map((each) => Object(resolve(document, each)?.value)),
    );
    return [...examples, ...codes.map((code) => ({ code, status: key }))];
  });
  for (const { code, status } of samples)
    if (typeof code === 'string' && /^[45]\d\d$/.test(`${status}`))
      found.set(`${status}`, (found.get(`${status}`) ?? new Set()).add(code));
  const listed = [...found.values()].flatMap((codes) => [...codes]);
  const others = ((document['x-error-codes'] ?? []) as string[]).filter((code) => !listed.includes(code));
  for (const codes of found.values()) for (const code of others) codes.add(code);
  return found;
}

/** Leaves the media type of failures, or JSON of another name, to one. */
function withoutOthers(response: Any, type: string, report: Report): Any {
  const entries = Object.entries<Any>(response.content);
  const [name, media] = entries.find(([each]) => bare(each) === type) ?? entries.find(([each]) => isJson(each)) ?? [];
  const others = entries.map(([each]) => each).filter((each) => bare(each) !== type);
  const message = `Failures are sent as \`${type}\`, and not as ${others.join(', ')}.`;
  if (others.length > 0) report('warning', 'failures', response, message, 'content');
  if (name === undefined) delete response.content;
  else response.content = { [type]: media };
  return media;
}

const referenceOf = (schema: Any) =>
  typeof schema !== 'string' ? schema : { $ref: schema.startsWith('#') ? schema : `#/components/schemas/${schema}` };

/** The component of which a schema in its place is a variant, as one with the codes of a status. */
const baseOf = (schema: Any): Any =>
  [schema.allOf ?? []].flat().find((part: Any) => schemaIn(part?.$ref) !== undefined) ?? schema;

/** The different values, the most frequent first. */
function byFrequency<Value>(values: Value[]): Value[] {
  const groups = Map.groupBy(values, (value) => JSON.stringify(value));
  return [...groups.values()].sort((one, other) => other.length - one.length).flatMap(([first]) => first ?? []);
}

/** Names of fields for the code and the message of a failure, the best first. */
const NAMES = {
  code: ['code', 'errorCode', 'error_code'],
  message: [
    'message',
    'detail',
    'errorMessage',
    'error_message',
    'error_description',
    'description',
    'title',
    'error',
    'err',
    'msg',
    'body',
  ],
};
/** The fields that hold the error of a body that has more. */
const HOLDERS = ['error', 'errors', 'meta'];

/** Places of maps of messages by field. */
const MAPS = ['/errors', '/error/errors', '/error/fields', '/fields'];

const isMessages = (root: Document, schema: Any, place: string) =>
  isMap(resolve(root, at(root, schema, place))?.additionalProperties) &&
  [`${place}/body`, `${place}/body/0`].some((one) => isText(root, at(root, schema, one), false));

/** The places of texts in the schema of a failure, which has them elsewhere if it lacks those of the others. */
export function placesIn(root: Document, schema: Any, base: ErrorBody): ErrorBody {
  const isUsual = base.schema !== undefined && schemaIn(baseOf(schema).$ref) === base.schema;
  const placeIn = (key: 'code' | 'message', usual = '') =>
    isUsual || isText(root, at(root, schema, usual), key === 'code')
      ? base[key]
      : (placeOf(root, schema, key) ?? base[key]);
  const fields = MAPS.find((one) => isMessages(root, schema, one));
  // The header has the code of all if the usual body has none.
  return { ...base, code: base.code && placeIn('code', base.code), message: placeIn('message', base.message), fields };
}

function placeOf(root: Document, schema: Any, key: 'code' | 'message', depth = 0): string | undefined {
  const named = NAMES[key]
    .flatMap((name) => [`/${name}`, `/${name}/0`])
    .find((one) => isText(root, at(root, schema, one), key === 'code'));
  if (named !== undefined) return named;
  for (const holder of depth < 2 ? HOLDERS : [])
    for (const pointer of [`/${holder}`, `/${holder}/0`]) {
      const held = at(root, schema, pointer);
      const place = held === undefined ? undefined : placeOf(root, held, key, depth + 1);
      if (place !== undefined) return pointer + place;
    }
  return undefined;
}

/** Whether a field takes any text. A code that is an identifier of the platform's must fit. */
export function isText(root: Document, written: Any, isCode: boolean): boolean {
  const schema = resolve(root, written);
  const { type, enum: values, const: only, format, pattern, maxLength = Number.POSITIVE_INFINITY } = Object(schema);
  if (![type].flat().includes('string') || values || only !== undefined) return false;
  return !isCode || (format === undefined && pattern === undefined && maxLength >= 40);
}

/** The schema of the value at a pointer, in a schema or its parts. */
export function at(root: Document, written: Any, pointer: string): Any {
  const partsAt = (node: Any) => partsIn(root.components?.schemas ?? {}, resolve(root, node));
  return keysOf(pointer).reduce((node, key) => step(partsAt(node), key), written);
}

function step(parts: Any[], key: string): Any {
  for (const { properties, items, additionalProperties } of parts) {
    if (isMap(properties) && Object.hasOwn(properties, key)) return properties[key];
    if (/^\d+$/.test(key) && items !== undefined) return items;
    // A map of messages by field says of the request as a whole that it is the `body`.
    if (key === 'body' && isMap(additionalProperties)) return additionalProperties;
  }
  return undefined;
}
