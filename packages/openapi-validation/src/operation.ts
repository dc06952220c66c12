import type { AnySchema, AnySchemaObject } from 'ajv/dist/2020.js';
import type { FastifySchema } from 'fastify';

/** What a route takes, in the words of OpenAPI. */
export interface Operation {
  parameters: readonly Parameter[];
  /** Absent: it takes none. */
  body?: {
    required: boolean;
    /**
     * The media type; any that is parsed if it is absent, except texts. Of the kinds `form` and `parts`, the fields are texts: `"20"` is
     * read as 20. Default: `application/json`, which is never converted.
     */
    media?: { type?: string; kind: 'json' | 'form' | 'parts' | 'text' | 'bytes' | 'any' };
    /** The fields of a form that are JSON. */
    json?: readonly string[];
    /** The lists and objects of a url-encoded form that are written as in a query. */
    styles?: Readonly<Record<string, Style>>;
    schema: Schema;
  };
}

export interface Parameter {
  in: 'path' | 'query' | 'header' | 'cookie';
  name: string;
  required: boolean;
  /** How a list or an object is written. Absent: a simple value, or a list whose query parameter is repeated. */
  style?: Style;
  schema: Schema;
}

/** The style of a parameter: OpenAPI 3.2.0, "Style Examples". */
export interface Style {
  style: 'form' | 'simple' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  explode: boolean;
  of: 'list' | 'object';
  /** The query parameters that are fields of an object of the style `form` with `explode`. Absent: all that are no other parameter. */
  names?: readonly string[];
}

/** JSON Schema 2020-12. */
type Schema = object | boolean;

/** The parts of a request that have a schema in Fastify. */
const PARTS = { path: 'params', query: 'querystring', header: 'headers' } as const;

/** The name of a parameter in its part of a request. A cookie is in the headers, by a name that no header has. */
export const keyOf = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>) =>
  place === 'header' ? name.toLowerCase() : place === 'cookie' ? `cookie ${name}` : name;

/** The schemas of Fastify for an operation. */
export function schemaOf({ parameters, body }: Operation): FastifySchema {
  const schema: FastifySchema = body ? { body: body.schema } : {};
  for (const place of ['path', 'query', 'header'] as const) {
    const inPlace = parameters.filter((one) => (one.in === 'cookie' ? 'header' : one.in) === place);
    if (inPlace.length === 0) continue;
    schema[PARTS[place]] = {
      type: 'object',
      properties: Object.fromEntries(inPlace.map((one) => [keyOf(one), one.schema])),
      required: inPlace.filter(({ required }) => required).map(keyOf),
    };
  }
  return schema;
}

/** The operation for a route that has schemas of Fastify instead. @param propertiesOf - those of an object and its parts */
export function operationOf(
  schema: FastifySchema,
  propertiesOf: (schema: AnySchema) => Record<string, AnySchema>,
): Operation {
  const parameters = (['path', 'query', 'header'] as const).flatMap((place) => {
    const object = (schema[PARTS[place]] ?? {}) as AnySchemaObject;
    const required: string[] = object.required ?? [];
    return Object.entries(propertiesOf(object)).map(([name, one]) => ({
      in: place,
      name,
      required: required.includes(name),
      schema: one as Schema,
    }));
  });
  const { body } = schema;
  return {
    parameters,
    ...(body !== undefined && { body: { required: true, media: { kind: 'any' }, schema: body as Schema } }),
  };
}
