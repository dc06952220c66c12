import { type Finding, finding, told } from './finding.ts';
import { type Place, pairedEntries } from './place.ts';

/** `x-rate-limit-plans`: a client that keeps to its plan must not meet 429 because the plan shrank. */
export function* comparePlans(base: Place, head: Place): Generator<Finding> {
  for (const [plan, old, now] of pairedEntries(base.at('x-rate-limit-plans'), head.at('x-rate-limit-plans'))) {
    yield* told('rate-limit-plan', `The plan \`${plan}\``, old, now, { added: 'compatible', removed: 'changed' });
    if (!old || !now) continue;
    for (const [window] of pairedEntries(old, now)) {
      const [was, is] = [old.at(window).value, now.at(window).value];
      if (was === is) continue;
      // null: what was agreed with the customer.
      const raised = typeof was === 'number' && typeof is === 'number' && is > was;
      const message = `\`${plan}\`: \`${window}\` is ${is ?? 'by agreement'}; it was ${was ?? 'by agreement'}.`;
      const [rule, effect] = raised ? (['raised', 'compatible'] as const) : (['lowered', 'changed'] as const);
      yield finding(`rate-limit-${rule}`, effect, now.at(window), message);
    }
  }
}
