// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

/** Where a call is made. */
export interface CallSite {
  readonly stack?: string;
}

/** The stack at a call of `method`, without it where the engine can: the stack of a failure, later, knows no caller. */
export function callSite(method: unknown): CallSite {
  const { captureStackTrace } = Error as { captureStackTrace?: (site: CallSite, method: unknown) => void };
  if (!captureStackTrace) return new Error();
  const site: CallSite = {};
  captureStackTrace(site, method);
  return site;
}

/** The stack of an error as if it had been thrown there: V8 begins it with the error, other engines do not. */
export function stackAt({ stack = '' }: CallSite, error: Error): string {
  const frames = stack.search(/^ +at /m);
  return frames < 0 ? stack : `${error.name}: ${error.message}\n${stack.slice(frames)}`;
}
