import type { Rule } from '../rule.ts';

const names = ['x-deprecated-at', 'x-sunset'];

/** A deprecated operation, and no other, says since when it is deprecated and when it goes. */
export const deprecationDates: Rule = () => ({
  Operation(operation, { report, location }) {
    for (const name of names) {
      const value = operation[name];
      if (operation.deprecated !== true) {
        if (value === undefined) continue;
        report({
          message: `Remove \`${name}\` or set \`deprecated: true\`: the operation is not deprecated.`,
          location: location.child(name).key(),
        });
      } else if (value === undefined) {
        report({
          message: `Give the deprecated operation \`${name}\`, a date written YYYY-MM-DD.`,
          location: location.child('deprecated').key(),
        });
      } else if (!isCalendarDate(value)) {
        report({
          message: `\`${name}\` must be a day of the calendar, written YYYY-MM-DD.`,
          location: location.child(name),
        });
      }
    }

    const [deprecatedAt, sunset] = names.map((name) => operation[name]);
    // As text, days in this notation sort like the calendar.
    if (isCalendarDate(deprecatedAt) && isCalendarDate(sunset) && sunset <= deprecatedAt) {
      report({
        message: '`x-sunset` must be later than `x-deprecated-at`: clients need time to move.',
        location: location.child('x-sunset'),
      });
    }
  },
});

function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  // Date takes 2030-02-30 for 2030-03-02.
  const date = new Date(value);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(value);
}
