import { expect, test } from 'vitest';
import { isClean, markdown, type Part, table } from '../src/report.ts';

const clean: Part = {
  name: 'Faults',
  rows: [{ what: 'Creates', tried: 12_345, failures: [], losses: [], note: '2 servers' }],
};
const broken: Part = {
  name: 'Faults',
  rows: [{ what: 'Creates', tried: 2, failures: ['a failure'], losses: ['a loss'] }],
};
const readsOnly: Part = { name: 'Protocol', rows: [{ what: 'Abuses', tried: 3, failures: [] }], appendix: '## More' };

test('the table tells what was tried, how often, what failed and what was lost', () => {
  expect(table([clean, readsOnly])).toBe(
    [
      '| Part     | What was tried | How often | Failed | Lost | Figures   |',
      '|----------|----------------|----------:|-------:|-----:|-----------|',
      '| Faults   | Creates        |    12,345 |      0 |    0 | 2 servers |',
      '| Protocol | Abuses         |         3 |      0 |    – |           |',
    ].join('\n'),
  );
});

test('one failure or loss is enough', () => {
  expect(isClean([clean, readsOnly])).toBe(true);
  for (const key of ['failures', 'losses']) {
    expect(isClean([clean, { name: 'x', rows: [{ what: 'x', tried: 1, failures: [], [key]: ['x'] }] }])).toBe(false);
  }
});

test('the page tells how each part can be repeated, and what is wrong', () => {
  const run = { date: '2026-11-21', version: '1.0.0', commit: 'abc1234', command: 'pnpm proof', machine: 'linux' };
  const page = markdown([
    { ...run, part: broken },
    { ...run, part: readsOnly },
  ]);
  expect(page).toContain('| Faults | 2026-11-21 | 1.0.0 (abc1234) | `pnpm proof` | linux |');
  expect(page).toContain('## Problems\n\n- Creates: a loss\n- Creates: a failure');
  expect(page.endsWith('## More\n')).toBe(true);
  expect(markdown([{ ...run, part: clean }])).toContain('Nothing failed, nothing was lost.');
});
