import type { Note } from './changes.ts';
import { paired } from './operations.ts';
import type { Place } from './place.ts';

/** `x-rate-limit-plans`: a client that keeps to its plan must not meet 429 because the plan shrank. */
export function comparePlans(base: Place, head: Place, note: Note): void {
  const mapOf = (place: Place) => new Map(place.entries());
  const plans = paired(mapOf(base.at('x-rate-limit-plans')), mapOf(head.at('x-rate-limit-plans')));
  for (const [plan, old, now] of plans) {
    if (!now) note('major', 'rate-limit-plan-removed', old as Place, `The plan \`${plan}\` was removed.`);
    else if (!old) note('minor', 'rate-limit-plan-added', now, `The plan \`${plan}\` was added.`);
    else {
      for (const [window] of paired(mapOf(old), mapOf(now))) {
        const [was, is] = [old.at(window).value, now.at(window).value];
        if (was === is) continue;
        // null: what was agreed with the customer.
        const raised = typeof was === 'number' && typeof is === 'number' && is > was;
        const message = `\`${plan}\`: \`${window}\` is ${is ?? 'by agreement'}; it was ${was ?? 'by agreement'}.`;
        note(raised ? 'minor' : 'major', `rate-limit-${raised ? 'raised' : 'lowered'}`, now.at(window), message);
      }
    }
  }
}
