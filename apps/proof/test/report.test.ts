import { expect, test } from 'vitest';
import { markdown, type Part, table } from '../src/report.ts';

const clean: Part = {
  name: 'Faults',
  rows: [{ what: 'Creates', tried: 12_345, failures: [], losses: [], note: '2 servers' }],
};
const broken: Part = {
  name: 'Faults',
  rows: [{ what: 'Creates', tried: 2, failures: ['a failure'], losses: ['a loss'] }],
};
const readsOnly: Part = { name: 'Protocol', rows: [{ what: 'Abuses', tried: 3, failures: [] }], appendix: '## More' };

test('the table shows trials, failures and losses', () => {
  expect(table([clean, readsOnly])).toBe(
    [
      '| Part | Check | Trials | Failed | Lost | Figures |',
      '|---|---|--:|--:|--:|---|',
      '| Faults | Creates | 12,345 | 0 | 0 | 2 servers |',
      '| Protocol | Abuses | 3 | 0 | – |  |',
    ].join('\n'),
  );
});

test('the page lists the command of each part, and the problems', () => {
  const run = '`pnpm proof`, 2026-11-21, server 1.0.0, commit abc, linux';
  const commit = 'abc';
  const page = markdown([
    { run, commit, part: broken },
    { run, commit, part: readsOnly },
  ]);
  expect(page).toContain(`- Faults: ${run}\n- Protocol: `);
  expect(page).toContain('## Problems\n\n- Creates: a loss\n- Creates: a failure');
  expect(page.endsWith('## More\n')).toBe(true);
  expect(markdown([{ run, commit, part: clean }])).toContain('Nothing failed, nothing was lost.');
});
