/** A mistake of the caller. Its message is one line for stderr. */
export class UsageError extends Error {}
