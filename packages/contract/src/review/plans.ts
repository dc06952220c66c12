import type { Changes } from './changes.ts';
import type { Impact } from './finding.ts';
import type { Place } from './place.ts';

/** `x-rate-limit-plans`: a client that keeps to its plan must not meet 429 because the plan shrank. */
export function comparePlans(base: Place, head: Place, changes: Changes): void {
  const [before, after] = [base.at('x-rate-limit-plans'), head.at('x-rate-limit-plans')];
  const note = (impact: Impact, rule: string, place: Place, message: string) =>
    changes.add(impact, { rule, place, message });
  for (const [plan, limits] of before.entries()) {
    const other = after.at(plan);
    if (!other.exists) {
      note('major', 'rate-limit-plan-removed', limits, `The plan \`${plan}\` was removed.`);
      continue;
    }
    for (const window of new Set([...limits.entries(), ...other.entries()].map(([name]) => name))) {
      const [was, is] = [limits.at(window).value, other.at(window).value];
      if (was === is) continue;
      // null: what was agreed with the customer.
      const raised = typeof was === 'number' && typeof is === 'number' && is > was;
      const message = `\`${plan}\`: \`${window}\` is ${is ?? 'by agreement'}; it was ${was ?? 'by agreement'}.`;
      note(raised ? 'minor' : 'major', `rate-limit-${raised ? 'raised' : 'lowered'}`, other.at(window), message);
    }
  }
  for (const [plan, limits] of after.entries()) {
    if (!before.at(plan).exists) note('minor', 'rate-limit-plan-added', limits, `The plan \`${plan}\` was added.`);
  }
}
