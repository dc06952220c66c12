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

test('where the runtime has no UUIDs, as in a page that was loaded over http, there are random bits', () => {
  expect(system.uuid()).toMatch(/^[0-9a-f-]{36}$/);
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  try {
    const keys = new Set(Array.from({ length: 1000 }, () => system.uuid()));
    expect(keys.size).toBe(1000);
    for (const key of keys) expect(key).toMatch(/^[0-9-]{16,43}$/);
    vi.stubGlobal('crypto', undefined);
    expect(system.uuid()).toBeUndefined();
  } finally {
    vi.unstubAllGlobals();
  }
});
