import { onTestFinished, vi } from 'vitest';

let time = { random: () => 0, pending: 0 };

/** The clock of the running test, from 2026-11-20T12:00:00Z, which jumps to the next timer, with the shortest waits of full jitter. */
export function virtualTime() {
  if (vi.isFakeTimers()) return Object.assign(time, { random: () => 0 });
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
    now: new Date('2026-11-20T12:00:00Z'),
  });
  vi.setTimerTickMode('nextTimerAsync');
  onTestFinished(() => void vi.useRealTimers());
  time = {
    random: () => 0,
    /** Pending timers. */
    get pending() {
      return vi.getTimerCount();
    },
  };
  vi.spyOn(Math, 'random').mockImplementation(() => time.random());
  return time;
}
