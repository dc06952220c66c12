import { channel } from 'node:diagnostics_channel';

export interface Timing {
  /** The purpose of the statement: it reads or changes resources, counts requests of keys, or looks up keys. */
  kind: 'read' | 'change' | 'count' | 'key';
  /** Milliseconds for which its first request waited for its turn or for a connection. */
  waited?: number;
  /** Milliseconds until its result. */
  took?: number;
}

const timings = channel('@petstore-platform/server-runtime:statement');

/** Publishes a timing, which costs nothing without a listener. */
export const noteTiming = (timing: Timing): void => timings.publish(timing);

/** Publishes how long a wait took, however it ends: during an outage, most waits fail. */
export async function timeWait<Result>(kind: Timing['kind'], wait: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  try {
    return await wait();
  } finally {
    noteTiming({ kind, waited: performance.now() - since });
  }
}

export const onTiming = (listener: (timing: Timing) => void): void =>
  timings.subscribe((timing) => listener(timing as Timing));
