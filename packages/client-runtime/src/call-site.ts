/** The place in the caller's code from which a call is made. */
export type CallSite = Readonly<Pick<Error, 'stack'>>;

/**
 * Captures the stack at a call of `method`, because the stack of a later failure no longer has the caller. Omits `method` itself
 * if the engine can.
 */
export function callSite(method: unknown): CallSite {
  const { captureStackTrace } = Error as { captureStackTrace?: (site: CallSite, method: unknown) => void };
  if (!captureStackTrace) return new Error();
  const site: CallSite = {};
  captureStackTrace(site, method);
  return site;
}

/** The stack of an error as if it had been thrown at the call site. In V8, a stack begins with the name and message. */
export function stackAt({ stack = '' }: CallSite, error: Error): string {
  const frames = stack.search(/^ +at /m);
  return frames < 0 ? stack : `${error.name}: ${error.message}\n${stack.slice(frames)}`;
}
