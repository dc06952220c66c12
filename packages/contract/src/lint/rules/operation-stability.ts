import type { Rule } from '../rule.ts';

const levels: unknown[] = ['experimental', 'beta'];

/** `x-stability` has two values: an operation without it is stable. */
export const operationStability: Rule = () => ({
  Operation({ 'x-stability': stability }, { report, location }) {
    if (stability === undefined || levels.includes(stability)) return;
    report({
      message: '`x-stability` must be `experimental` or `beta`; remove it when the operation is stable.',
      location: location.child('x-stability'),
    });
  },
});
