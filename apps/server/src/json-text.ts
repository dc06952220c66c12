declare const parsed: unique symbol;

/** A `Value` as JSON, sent unchanged. Only statements return this type. */
export type JsonText<Value> = string & { readonly [parsed]: Value };
