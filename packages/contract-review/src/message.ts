/** Compares requests and responses: parameters, headers, bodies and statuses. */

import { type Place, paired } from '@petstore-platform/openapi';
import { describe } from './describe.ts';
import { compareCodes } from './extensions.ts';
import { compareEntry, compareFlag, type Finding, finding } from './finding.ts';
import { type Endpoint, parametersOf } from './operations.ts';
import { pairedWithRenames, rename } from './renames.ts';
import { compareRest, compareWhole } from './rest.ts';
import { type Schemas, Shape } from './schema/shape.ts';
import { compareDefault } from './schema/values.ts';
import { code, word } from './words.ts';

type Thing = 'parameter' | 'header' | 'body';

export function* compareRequests(schemas: Schemas, old: Endpoint, now: Endpoint): Generator<Finding> {
  const schemaIn = ({ value }: Place) => (value.in === 'path' ? undefined : [value.in, value.schema, value.content]);
  for (const [, one, other, isRenamed] of pairedWithRenames(parametersOf(old), parametersOf(now), schemaIn)) {
    const isOf = (reference: Place) => reference.follow().id === (one ?? other)?.id;
    const [reference] = one && other ? [] : (one ? old : now).place.at('parameters').items().filter(isOf);
    if (reference && schemas.isImplied(reference)) continue;
    if (isRenamed && one && other) yield rename('parameter', one, other, other.value.name);
    else yield* comparePart(schemas, 'parameter', one, other);
  }
  const [body, newBody] = [old, now].map(({ place }) => place.at('requestBody').follow());
  yield* comparePart(schemas, 'body', body, newBody);
}

/** A status takes precedence over the default (OpenAPI 3.1), which describes no further success. */
export function* compareResponses(schemas: Schemas, old: Place, now: Place): Generator<Finding> {
  const [before, after] = [statusesOf(old), statusesOf(now)];
  const successes = [...before].filter(([status]) => isSuccess(status));
  for (const [status, exact, place] of paired(before, after)) {
    if (!(exact && place) && schemas.isImplied((exact ?? place) as Place)) continue;
    if (!place) {
      const rule = `${isSuccess(status) ? 'success-' : ''}status-removed`;
      yield finding(rule, 'changed', exact as Place, `The ${word(status)} response was removed.`);
      continue;
    }
    // A range takes precedence over the default.
    const range = before.get(`${status[0]}XX`);
    const was = exact ?? range ?? (isSuccess(status) && successes.length > 0 ? undefined : before.get('default'));
    // A status that only a range or the default described before has new documentation, not changed documentation.
    for (const one of was ? compareResponse(schemas, was, place) : [])
      if (exact || one.effect !== 'documentation') yield one;
    if (exact) continue;
    const isNewSuccess = isSuccess(status) && !was;
    // The SDK's method resolves to the union of all success bodies: another one widens the type.
    const fits = !isNewSuccess || successes.some(([, other]) => hasSameBody(schemas, other, place));
    const rule = isNewSuccess ? 'success-status-added' : 'status-added';
    const message = `The ${word(status)} response was added${fits ? '' : ', with a body of its own'}.`;
    yield finding(rule, fits ? 'compatible' : 'wider', place, message);
  }
}

function* compareResponse(schemas: Schemas, old: Place, now: Place): Generator<Finding> {
  const [before, after] = [old.follow(), now.follow()];
  yield* compareContent(schemas, 'body', before, after);
  yield* compareRest('response', [before], [after]);
  yield* compareCodes(before, after);
  const headersOf = (response: Place) => response.at('headers').byKey((name) => name.toLowerCase());
  // The header Content-Type is compared by the media types.
  for (const [name, one, other] of paired(headersOf(before), headersOf(after)))
    if (name !== 'content-type') yield* comparePart(schemas, 'header', one, other);
}

function* comparePart(schemas: Schemas, thing: Thing, old?: Place, now?: Place): Generator<Finding> {
  const [before, after] = [old?.follow(), now?.follow()];
  if (before?.exists && after?.exists) return yield* compareKept(schemas, thing, before, after);
  const place = after?.exists ? now : before?.exists ? old : undefined;
  if (place === undefined || (!(old && now) && schemas.isImplied(place))) return;
  const subject = `${describe(place)}${thing === 'header' ? ` of ${describe(place.parent.parent)}` : ''}`;
  if (place === old) return yield finding(`${thing}-removed`, 'changed', place, `${subject} was removed.`);
  const isRequired = after?.value.required === true;
  const suffix = thing === 'header' ? '' : isRequired ? '-required' : thing === 'body' ? '-optional' : '';
  const message = `${subject} was added${isRequired ? ', required' : ''}.`;
  yield finding(`${thing}-added${suffix}`, isRequired ? 'narrower' : 'compatible', place, message);
}

function* compareKept(schemas: Schemas, thing: Thing, old: Place, now: Place): Generator<Finding> {
  for (const flag of ['required', 'deprecated'] as const) yield* compareFlag(flag, [old], [now], `${thing}-`);
  const isNeeded = old.value.required === true && now.value.required === true;
  const isDocument = [old, now].map((part) => part.at('content').exists);
  if (isDocument.every(Boolean)) yield* compareContent(schemas, thing, old, now);
  else if (isDocument.some(Boolean)) yield* compareWhole('parameter', 'content', [old], [now]);
  else yield* compareSchema(schemas, old, now, isNeeded);
  yield* compareRest('parameter', [old], [now]);
}

function* compareSchema(schemas: Schemas, old: Place, now: Place, isNeeded: boolean): Generator<Finding> {
  const [base, head] = [schemaOf(old), schemaOf(now)];
  yield* schemas.findings(base, head);
  yield* compareDefault(schemas.direction, new Shape(base), new Shape(head), isNeeded);
}

function* compareContent(schemas: Schemas, thing: Thing, old: Place, now: Place): Generator<Finding> {
  for (const [type, one, other] of paired(contentOf(old), contentOf(now))) {
    yield* compareEntry(`${thing}-media-type`, `The content type ${code(type)} of ${describe(now)}`, one, other);
    if (!one || !other) continue;
    // In bodies of XML, `xml` sets the notation. In JSON, it is documentation.
    for (const found of compareSchema(schemas, one, other, true))
      yield found.rule === 'xml-changed' && /[/+]xml/.test(type)
        ? { ...found, rule: 'unsupported-changed', effect: 'changed' }
        : found;
    // The schema of each item of a sequence (OpenAPI 3.2, Media Type Object).
    const [item, newItem] = [one.at('itemSchema'), other.at('itemSchema')];
    if (item.exists && newItem.exists) yield* schemas.findings([item], [newItem]);
    else yield* compareWhole('media', 'itemSchema', [one], [other]);
    yield* compareRest('media', [one], [other]);
  }
}

function hasSameBody(schemas: Schemas, old: Place, now: Place): boolean {
  const findings = [...compareContent(schemas, 'body', old.follow(), now.follow())];
  return findings.every(({ effect }) => effect === 'documentation');
}

const schemaOf = (owner: Place) => (owner.at('schema').exists ? [owner.at('schema')] : []);

/** The contents by media type. OpenAPI 3.2 allows references. */
function contentOf(owner: Place): Map<string, Place> {
  const contents = owner.at('content').entries();
  return new Map(contents.map(([type, content]) => [type, content.follow()]));
}

const statusesOf = (responses: Place) => new Map(responses.entries().filter(([status]) => !status.startsWith('x-')));

const isSuccess = (status: string) => status.startsWith('2');
