/** Compares requests and responses: parameters, headers, bodies and statuses. */
import { stringify } from 'safe-stable-stringify';
import { describe } from './describe.ts';
import { compareDocumentation } from './documentation.ts';
import { compareEntry, compareFlag, compareUnsupported, type Finding, finding, list } from './finding.ts';
import { parametersOf, type SourceOperation } from './operations.ts';
import { pairedWithRenames, rename } from './renames.ts';
import type { Schemas } from './schema/comparison.ts';
import { Shape } from './schema/shape.ts';
import { compareDefault } from './schema/values.ts';
import { type Place, paired } from './source.ts';

type Thing = 'parameter' | 'header' | 'body';

/** What clients send. */
export function* compareRequests(schemas: Schemas, old: SourceOperation, now: SourceOperation): Generator<Finding> {
  const schemaIn = ({ value }: Place) => (value.in === 'path' ? undefined : [value.in, value.schema]);
  for (const [, one, other, isRenamed] of pairedWithRenames(parametersOf(old), parametersOf(now), schemaIn)) {
    if (isRenamed && one && other) yield rename('parameter', one, other, other.value.name);
    else yield* comparePart(schemas, 'parameter', one, other);
  }
  const [body, newBody] = [old, now].map(({ place }) => place.at('requestBody').follow());
  yield* comparePart(schemas, 'body', body, newBody);
}

/** A status takes precedence over its range, and that over the default (OpenAPI 3.1). */
export function* compareResponses(schemas: Schemas, old: Place, now: Place): Generator<Finding> {
  const [before, after] = [statusesOf(old), statusesOf(now)];
  const successes = [...before].filter(([status]) => isSuccess(status));
  for (const [status, exact, newExact] of paired(before, after)) {
    const [was, is] = [exact ?? covering(before, status), newExact ?? covering(after, status)];
    const [isRange, isSplit] = [before, after].map((all) => [...all.keys()].some((key) => rangeOf(key) === status));
    if (!newExact && !isSplit && !after.has(rangeOf(status))) {
      const rule = `${isSuccess(status) ? 'success-' : ''}status-removed`;
      yield finding(rule, 'changed', exact as Place, `The ${status} response was removed.`);
      continue;
    }
    // The documentation of a status that was covered is new, not changed.
    for (const one of was && is ? compareResponse(schemas, was, is) : [])
      if (exact || one.effect !== 'documentation') yield one;
    // A status that replaces its range is no addition.
    if (exact || !newExact || (before.has(rangeOf(status)) && !after.has(rangeOf(status)))) continue;
    const isNewSuccess = isSuccess(status) && !was;
    // The SDK's method resolves to the union of all success bodies: another one widens the type.
    const fits = !isNewSuccess || successes.some(([, known]) => hasSameBody(schemas, known, newExact));
    const rule = isRange ? 'status-range' : isNewSuccess ? 'success-status' : 'status';
    const end = isRange ? ', for any status like it' : fits ? '' : ', with a body of its own';
    yield finding(`${rule}-added`, fits ? 'compatible' : 'wider', newExact, `The ${status} response was added${end}.`);
  }
}

/** The response of a status without one of its own. The default describes no further success. */
function covering(statuses: Map<string, Place>, status: string): Place | undefined {
  const isFurther = isSuccess(status) && [...statuses.keys()].some(isSuccess);
  return statuses.get(rangeOf(status)) ?? (isFurther ? undefined : statuses.get('default'));
}

function* compareResponse(schemas: Schemas, old: Place, now: Place): Generator<Finding> {
  const [before, after] = [old.follow(), now.follow()];
  yield* compareContent(schemas, 'body', before, after);
  yield* compareDocumentation([before], [after]);
  const headersOf = (response: Place) => response.at('headers').byKey((name) => name.toLowerCase());
  // The media types describe Content-Type.
  for (const [name, one, other] of paired(headersOf(before), headersOf(after)))
    if (name !== 'content-type') yield* comparePart(schemas, 'header', one, other);
}

function* comparePart(schemas: Schemas, thing: Thing, old?: Place, now?: Place): Generator<Finding> {
  const [before, after] = [old?.follow(), now?.follow()];
  if (before?.exists && after?.exists) return yield* compareKept(schemas, thing, before, after);
  const place = after?.exists ? now : before?.exists ? old : undefined;
  if (place === undefined) return;
  const subject = `${describe(place)}${thing === 'header' ? ` of ${describe(place.parent.parent)}` : ''}`;
  if (place === old) return yield finding(`${thing}-removed`, 'changed', place, `${subject} was removed.`);
  const isRequired = after?.value.required === true;
  const suffix = thing === 'header' ? '' : isRequired ? '-required' : thing === 'body' ? '-optional' : '';
  const message = `${subject} was added${isRequired ? ', required' : ''}.`;
  yield finding(`${thing}-added${suffix}`, isRequired ? 'narrower' : 'compatible', place, message);
}

function* compareKept(schemas: Schemas, thing: Thing, old: Place, now: Place): Generator<Finding> {
  for (const flag of ['required', 'deprecated'] as const) yield* compareFlag(flag, [old], [now], `${thing}-`);
  const [before, after] = [serializationOf(old), serializationOf(now)];
  if (thing !== 'body' && before !== after) {
    const message = `${describe(now)} has another serialization: ${list([after])}; it was ${list([before])}.`;
    yield finding(`${thing}-serialization-changed`, 'changed', now, message);
  }
  const isNeeded = old.value.required === true && now.value.required === true;
  const isDocument = [old, now].map((part) => part.at('content').exists);
  if (isDocument.every(Boolean)) yield* compareContent(schemas, thing, old, now);
  else if (!isDocument.some(Boolean)) yield* compareSchema(schemas, old, now, isNeeded);
  yield* compareDocumentation([old], [now]);
}

/** @param isNeeded - whether the value is required, so that its default has no effect */
function* compareSchema(schemas: Schemas, old: Place, now: Place, isNeeded: boolean): Generator<Finding> {
  const [base, head] = [schemaOf(old), schemaOf(now)];
  yield* schemas.findings(base, head);
  yield* compareDefault(schemas.direction, new Shape(base), new Shape(head), isNeeded);
}

function* compareContent(schemas: Schemas, thing: Thing, old: Place, now: Place): Generator<Finding> {
  const [before, after] = [contentOf(old), contentOf(now)];
  for (const [type, place, exact] of paired(before, after)) {
    const other = exact ?? (schemas.direction === 'request' ? rangeOver(type, after) : undefined);
    if (place && other) {
      yield* compareSchema(schemas, place, other, true);
      yield* compareUnsupported('encoding', [place], [other]);
      yield* compareDocumentation([place], [other]);
    } else if (place || !rangeOver(type, before)) {
      yield* compareEntry(`${thing}-media-type`, `The content type \`${type}\` of ${describe(now)}`, place, other);
    }
  }
}

/** Whether two responses have equivalent bodies. */
function hasSameBody(schemas: Schemas, old: Place, now: Place): boolean {
  return compareContent(schemas, 'body', old.follow(), now.follow()).every(({ effect }) => effect === 'documentation');
}

const schemaOf = (owner: Place) => (owner.at('schema').exists ? [owner.at('schema')] : []);

/** Media types without spaces, in lower case. */
const contentOf = (owner: Place) => owner.at('content').byKey((type) => type.toLowerCase().replaceAll(' ', ''));

/** The media type range in `types` that includes a type. */
function rangeOver(type: string, types: Map<string, Place>): Place | undefined {
  return types.get(`${type.split('/')[0]}/*`) ?? types.get('*/*');
}

/** The serialization of a parameter or header, with the defaults of OpenAPI 3.1 (Parameter Object). */
function serializationOf({ value }: Place): string {
  const { in: where, content, allowReserved = false, allowEmptyValue = false } = value;
  const { style = where === 'query' || where === 'cookie' ? 'form' : 'simple', explode = style === 'form' } = value;
  return content === undefined ? `${stringify({ style, explode, allowReserved, allowEmptyValue })}` : 'content';
}

const statusesOf = (responses: Place) => new Map(responses.entries().filter(([status]) => !status.startsWith('x-')));

const rangeOf = (status: string) => `${status[0]}XX`;

const isSuccess = (status: string) => status.startsWith('2');
