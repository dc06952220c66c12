/** What is to be ended when the run is interrupted: servers and databases outlive the process that started them. */
const open = new Set<() => Promise<void>>();

/** Remembers how to end something, until it is ended that way. */
export function endedWithRun(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const once = () => {
    open.delete(once);
    ended ??= end();
    return ended;
  };
  open.add(once);
  return once;
}

/** On SIGINT and SIGTERM, ends everything that is open, and then this process. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.allSettled([...open].map((end) => end()));
      process.exit(130);
    });
  }
}
