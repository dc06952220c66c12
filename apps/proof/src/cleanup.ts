/** What is open, to be ended when the process is interrupted: servers and databases outlive the process that started them. */
const open = new Set<AsyncDisposableStack>();

/** For everything that a part of the proof starts: ended with the part, in reverse order. */
export function cleanup(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  open.add(stack);
  stack.defer(() => void open.delete(stack));
  return stack;
}

/** On SIGINT and SIGTERM, ends everything that is open, and then this process. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.allSettled([...open].map((stack) => stack.disposeAsync()));
      process.exit(130);
    });
  }
}
