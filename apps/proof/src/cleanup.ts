/** Stacks to dispose on a signal: servers and databases would outlive this process. */
const open = new Set<AsyncDisposableStack>();

/** Creates the stack for everything that a part of the proof starts. */
export function cleanup(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  open.add(stack);
  stack.defer(() => void open.delete(stack));
  return stack;
}

/** Disposes all open stacks on SIGINT and SIGTERM, then exits. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.allSettled([...open].map((stack) => stack.disposeAsync()));
      process.exit(130);
    });
  }
}
