import { expect, test, vi } from 'vitest';
import { system } from '../../src/internal/system.ts';

test('a timer for ever is not one for now', () => {
  vi.useFakeTimers();
  try {
    const callback = vi.fn();
    const cancel = system.after(Infinity, callback);
    vi.advanceTimersByTime(10 ** 9);
    expect(callback).not.toHaveBeenCalled();
    cancel();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('where the runtime has no UUID, there is none', () => {
  expect(system.uuid()).toMatch(/^[0-9a-f-]{36}$/);
  vi.stubGlobal('crypto', undefined);
  try {
    expect(system.uuid()).toBeUndefined();
  } finally {
    vi.unstubAllGlobals();
  }
});
