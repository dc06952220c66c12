/**
 * The normalized value of an OpenAPI document, which everything that looks at a contract reads. OpenAPI 3.0, 3.1 and 3.2, one file or
 * several, all become this. Each sentence below is an invariant.
 */

/** The methods of OpenAPI 3.2, which adds `query`. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;
export type Method = (typeof METHODS)[number];

/** The request view has what clients send, the response view what they receive. */
export type Direction = 'request' | 'response';

/**
 * JSON Schema 2020-12 in its default dialect, whatever the version of the document.
 *
 * - There is no `nullable`, no boolean `exclusiveMinimum`, no array of `items`, no `$id`, `$schema`, `$anchor` or `definitions`.
 * - A `$ref` is `#/components/schemas/<name>` and has no siblings but annotations; constraining siblings are its `allOf`.
 * - A `pattern` is a valid expression with the flag `u`.
 * - The alternatives of a discriminator give its property their own values, by `const` or `enum`.
 * - A schema has one direction: no `readOnly` property in a request, no `writeOnly` one in a response.
 * - An annotation (`title`, `description`, `default`, `deprecated`, `example`, `examples`, `x-…`) limits no value.
 */
// biome-ignore lint/suspicious/noExplicitAny: each reader knows the keywords that it reads.
export type Schema = Record<string, any>;

/** A parameter of an operation, from the operation or its path. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  /** Always true in a path. */
  required: boolean;
  /** In the request view. Of `content`, the schema of its only media type. */
  schema: Schema;
  /** The media type of a parameter with `content`. */
  mediaType?: string;
  style: string;
  /** Without one, true for `form`, and for `deepObject`, which has no other form. */
  explode: boolean;
  allowReserved: boolean;
  description?: string;
  deprecated?: boolean;
  /** The first example of the parameter. Those of its schema stay there. */
  example?: unknown;
}

export interface Media {
  /** In the view of its direction. Absent: any value. */
  schema?: Schema;
  /** The first example. */
  example?: unknown;
  /** How the fields of a form are written, by name. */
  encoding?: Record<string, { contentType?: string; style?: string; explode?: boolean }>;
  /** The schema of each item of a sequence, as of an event. */
  itemSchema?: Schema;
}

export interface Header {
  name: string;
  required: boolean;
  schema: Schema;
  description?: string;
}

export interface Response {
  /** `200`, `4XX` or `default`. */
  status: string;
  description: string;
  headers: Header[];
  /** By media type, as written. Empty: no body. */
  content: Record<string, Media>;
}

/** All schemes of one requirement, with their scopes. An empty one needs no credentials. */
export type Requirement = Record<string, string[]>;

export interface Operation {
  /** The `operationId` as written, or derived from method and path if there is none. Unique. */
  id: string;
  method: Method;
  /** The template as written, such as `/users/{user-id}`. */
  path: string;
  summary: string;
  description: string;
  tags: string[];
  deprecated: boolean;
  /** Once per place and name, those of the path first. All names of the template are declared. */
  parameters: Parameter[];
  body?: { required: boolean; description: string; content: Record<string, Media> };
  /** At least one is a success (2XX), or a redirection (3XX). */
  responses: Response[];
  /** Alternatives, as written for it or for the document. Empty: open to everybody. */
  security: Requirement[];
  /** The fields that begin with `x-`. */
  extensions: Record<string, unknown>;
}

/** A change that the reading made, or a part that it cannot read, at its place in the author's file. */
export interface Note {
  level: 'error' | 'warning';
  /** The name of the rule, such as `reading/dialect`. */
  rule: string;
  /** The reason, and the text to write instead. */
  message: string;
  file: string;
  /** From 1. */
  line: number;
  /** A JSON pointer in that file. */
  pointer: string;
}

/** An OpenAPI document in one piece. */
// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
export type Document = Record<string, any>;

export interface Reading {
  /** The document in one piece with the author's names and structure, for publication. All its references are local. */
  published: Document;
  /**
   * The normalized document in the form of OpenAPI 3.1, for readers of that form. Path items have operations only, operations have all
   * their parameters, and there are no webhooks, callbacks and links.
   */
  document: Document;
  /** The operations of `document` without references, but for those of schemas. */
  operations: Operation[];
  /** The schemas by name: those of `document.components`. A schema whose views differ is `Thing` in responses and `ThingInput` in requests. */
  schemas: Record<string, Schema>;
  notes: Note[];
}
