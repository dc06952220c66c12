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
const readsOnly: Part = { name: 'Protocol', rows: [{ what: 'Abuses', tried: 3, failures: [] }] };

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

test('the page names the run, and lists the problems', () => {
  const source = '`pnpm proof`, 2026-11-21, server 1.0.0, commit abc, linux';
  const page = markdown([broken, readsOnly], source);
  expect(page).toContain(`${source}.`);
  expect(page).toContain('## Problems\n\n- Creates: a loss\n- Creates: a failure');
  expect(markdown([clean], source)).toContain('Nothing failed, nothing was lost.');
});
