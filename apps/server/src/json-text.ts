declare const parsed: unique symbol;

/** A `Value` as JSON, answered as it is. Only the result of a statement has this type. */
export type JsonText<Value> = string & { readonly [parsed]: Value };
