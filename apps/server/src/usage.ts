/** A command that was called or configured wrongly, or cannot do what it was asked. Its message is one line for stderr. */
export class UsageError extends Error {}
