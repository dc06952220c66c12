/**
 * Preloaded into a server (`node --import`): shifts its clock by `CLOCK_SHIFT` milliseconds, and back by an hour on SIGWINCH.
 */
const now = Date.now;
let shift = Number(process.env.CLOCK_SHIFT);

globalThis.Date = class extends Date {
  constructor(...values: unknown[]) {
    super(...((values.length === 0 ? [now() + shift] : values) as [number]));
  }

  static override now(): number {
    return now() + shift;
  }
} as DateConstructor;

process.on('SIGWINCH', () => {
  shift -= 3_600_000;
});
