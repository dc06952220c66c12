/** A document that a test reads and changes anywhere: a wrong path fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;
