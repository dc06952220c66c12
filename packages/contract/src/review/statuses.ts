import { type Effect, type Finding, finding } from './finding.ts';
import type { MessageComparison } from './message.ts';
import type { Place } from './place.ts';

/** The responses of an operation. A status takes precedence over its range, and that over the default (OpenAPI 3.1). */
export function* compareStatuses(messages: MessageComparison, old: Place, now: Place): Generator<Finding> {
  const { receives } = messages;
  const [before, after] = [statusesOf(old), statusesOf(now)];
  for (const [status, place] of before) {
    // A range may give way to some of its statuses.
    const other = after.get(status) ?? after.get(rangeOf(status));
    const others = other ? [other] : [...after].flatMap(([key, one]) => (rangeOf(key) === status ? [one] : []));
    for (const one of others) yield* messages.response(place.follow(), one.follow());
    const rule = `${isSuccess(status) ? 'success-' : ''}status-removed`;
    const message = `The ${status} response was removed.`;
    if (others.length === 0) yield finding(rule, receives ? 'changed' : 'narrower', place, message);
  }
  const successes = [...before].filter(([status]) => isSuccess(status));
  for (const [status, place] of after) {
    const range = rangeOf(status);
    // A range that gave way to this status is compared with it above.
    if (before.has(status) || (before.has(range) && !after.has(range))) continue;
    // The default is not for a success where others are listed.
    const isDefault = status !== 'default' && !(isSuccess(status) && successes.length > 0);
    const covering = before.get(range) ?? (isDefault ? before.get('default') : undefined);
    // It is new: its words have nothing in common with those of what it takes the place of.
    for (const one of covering ? messages.response(covering.follow(), place.follow()) : [])
      if (one.effect !== 'words') yield one;
    let [rule, effect, end]: [string, Effect, string] = ['status', receives ? 'compatible' : 'wider', ''];
    if ([...before.keys()].some((key) => rangeOf(key) === status)) {
      [rule, effect, end] = [
        'status-range',
        receives && isSuccess(status) ? 'wider' : 'compatible',
        ', for any status like it',
      ];
    } else if (isSuccess(status) && !before.has(range)) {
      // The SDK's method resolves to whatever a success may carry: another shape widens its type.
      const fits = successes.some(([, known]) => messages.hasSameBody(known.follow(), place.follow()));
      [rule, effect, end] = [
        'success-status',
        receives && fits ? 'compatible' : 'wider',
        fits ? '' : ', with a body of its own',
      ];
    }
    yield finding(`${rule}-added`, effect, place, `The ${status} response was added${end}.`);
  }
}

const statusesOf = (responses: Place) => new Map(responses.entries().filter(([status]) => !status.startsWith('x-')));

const rangeOf = (status: string) => `${status[0]}XX`;

const isSuccess = (status: string) => status.startsWith('2');
