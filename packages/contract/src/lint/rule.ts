/** What our rules use of Redocly's visitor interface. The CLI ships no types for it. */

interface Location {
  readonly source: { readonly absoluteRef: string };
  readonly absolutePointer: string;
  child(path: string | string[]): Location;
  /** The same place, shown at its key instead of its value. */
  key(): Location;
}

export interface Context {
  /** Where the visited node is, after following a `$ref`. */
  readonly location: Location;
  /** The node that holds the visited one. */
  readonly parent: unknown;
  report(problem: { message: string; location: Location }): void;
  /** Follows `node` if it is a `$ref`; `from` is the file that the `$ref` is in, by default the visited node's. */
  resolve(node: unknown, from?: string): { node: unknown; location: Location | undefined };
}

type Visit = (node: JsonObject, context: Context) => void;

/** Makes the visitor for one document. A node is visited once, however many `$ref`s lead to it. */
export type Rule = () => {
  Root?: Visit | { enter?: Visit; leave?: Visit };
  Operation?: Visit;
  Schema?: Visit;
  /** Meets each object with a `$ref`, which in OpenAPI 3.1 may carry further keywords. */
  ref?: Visit;
};

export type JsonObject = Record<string, unknown>;

/** `value` if it is an object, otherwise an empty one: that it is not valid OpenAPI, Redocly's own rules report. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}
