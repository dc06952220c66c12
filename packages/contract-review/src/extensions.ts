/** Compares the platform's extensions that reach clients and have no part of their own in OpenAPI. */
import type { Place } from '@petstore-platform/openapi';
import { describe } from './describe.ts';
import { compareEntry, type Finding, finding, lostAndGained } from './finding.ts';
import type { Endpoint } from './operations.ts';
import type { Version } from './version.ts';
import { code, MAX_BODY } from './words.ts';

export function* compareExtensions({ place: old }: Endpoint, { place: now, title }: Endpoint): Generator<Finding> {
  const [before, after] = [old, now].map((one) => one.at('x-max-body')) as [Place, Place];
  const [was, is] = [before, after].map(({ value }) => Number(value ?? MAX_BODY)) as [number, number];
  const place = after.exists ? after : before;
  const message = `The body of ${code(title)} has at most ${is} bytes; it had ${was}.`;
  if (is < was) yield finding('max-body-decreased', 'changed', place, message);
  if (is > was) yield finding('max-body-increased', 'compatible', place, message);
  const key = 'x-not-idempotent';
  // Without it, a client may repeat a request by its `Idempotency-Key`.
  const verdicts = { added: 'changed', removed: 'compatible', changed: 'documentation' } as const;
  yield* compareEntry('not-idempotent', `\`${key}\` of ${code(title)}`, old.at(key), now.at(key), verdicts);
  yield* compareEntry('invalid-status', '`x-invalid`', old.at('x-invalid'), now.at('x-invalid'), 'changed');
  yield* compareCodes(old, now);
}

/** Compares those of the document as written, because the platform's part lists the codes of all operations there. */
export function* compareErrors({ written: old }: Version, { written: now }: Version): Generator<Finding> {
  yield* compareEntry('error-form', '`x-error`', old.at('x-error'), now.at('x-error'), 'changed');
  yield* compareEntry('invalid-status', '`x-invalid`', old.at('x-invalid'), now.at('x-invalid'), 'changed');
  yield* compareCodes(old, now);
}

/** Compares the codes of failures, which the SDK types as these or any string. */
export function compareCodes(old: Place, now: Place): Finding[] {
  const [before, after] = [old, now].map((owner) => owner.at('x-error-codes')) as [Place, Place];
  const [place, verdicts] = [after.exists ? after : before, { added: 'compatible', removed: 'compatible' }] as const;
  const subject = `The list of error codes of ${describe(now)}`;
  return lostAndGained('error-code', subject, place, [before.values(), after.values()], verdicts);
}
