/** What the generators need to know of the contract: its operations, read from the bundled document. */

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** Written as its place has it by default: a path segment in `simple` style, a query in `form` style and exploded. */
  plain: boolean;
  description: string;
  /** Such as `1 to 100.`; empty for none. */
  limits: string;
  deprecated: boolean;
  /** The `default` of the schema; with one, a handler always receives a value. */
  default?: unknown;
  example?: unknown;
}

export interface Deprecation {
  /** `x-deprecated-at`, as YYYY-MM-DD. */
  at: string;
  /** `x-sunset`, as YYYY-MM-DD. */
  sunset: string;
  replacedBy: { operationId: string; parameters?: Record<string, string | number | boolean> };
}

export interface Operation {
  id: string;
  /** Lower case, as in the contract. */
  method: string;
  path: string;
  summary: string;
  description: string;
  deprecation?: Deprecation;
  stability?: 'experimental' | 'beta';
  parameters: Parameter[];
  body?: Content & { required: boolean };
  /** The 2xx responses, ascending. */
  success: (Content & { status: number; headers: string[] })[];
  /** All other responses, in the order of the contract. */
  failures: (Content & { status: number | 'default' })[];
}

/** What a request or response carries as `application/json`. */
export interface Content {
  hasBody: boolean;
  /** The component schema of the body, when it is a reference to one. */
  schema?: string;
  /** The `type` of the body's schema, when it has exactly one. */
  type?: string;
}

// A bundled document is JSON whose shape the lint has checked; typing all of OpenAPI would be longer than the generators.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Document = any;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The operations of a bundled OpenAPI document, in its order. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries<Document>(document.paths ?? {}).flatMap(([path, item]) =>
    // Without an operationId there is nothing to call it by; the lint asks for one.
    METHODS.filter((method) => item[method]?.operationId).map((method) => describe(document, path, method, item)),
  );
}

function describe(document: Document, path: string, method: string, item: Document): Operation {
  const operation = item[method];
  const body = operation.requestBody && resolve(document, operation.requestBody);
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    // The lint asks for all three, of every deprecated operation.
    ...(operation.deprecated &&
      operation['x-deprecated-at'] &&
      operation['x-sunset'] &&
      operation['x-replaced-by'] && {
        deprecation: {
          at: operation['x-deprecated-at'],
          sunset: operation['x-sunset'],
          replacedBy: operation['x-replaced-by'],
        },
      }),
    ...(operation['x-stability'] && { stability: operation['x-stability'] }),
    parameters: parametersOf(document, item, operation),
    ...(body && { body: { required: body.required === true, ...contentOf(document, body) } }),
    success: responsesOf(document, operation, /^2/).map(([status, response]) => ({
      status: Number(status),
      headers: Object.keys(response.headers ?? {}),
      ...contentOf(document, response),
    })),
    failures: responsesOf(document, operation, /^([345]\d\d|default)$/).map(([status, response]) => ({
      status: status === 'default' ? status : Number(status),
      ...contentOf(document, response),
    })),
  };
}

/** Path-level parameters, replaced by the operation's own of the same name and place (OpenAPI 3.1, Operation Object). */
function parametersOf(document: Document, item: Document, operation: Document): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve(document, reference);
    const schema = resolve(document, parameter.schema);
    const example = parameter.example ?? schema?.example;
    byKey.set(`${parameter.in} ${parameter.name}`, {
      name: parameter.name,
      in: parameter.in,
      required: parameter.required === true,
      plain: isPlain(parameter),
      description: parameter.description ?? schema?.description ?? '',
      limits: limitsOf(schema ?? {}),
      deprecated: parameter.deprecated === true || schema?.deprecated === true,
      ...(schema?.default !== undefined && { default: schema.default }),
      ...(example !== undefined && { example }),
    });
  }
  return [...byKey.values()];
}

/** OpenAPI 3.1, Parameter Object: the defaults of `style` and `explode`. */
function isPlain({ in: place, style, explode, content }: Document): boolean {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return content === undefined && (style ?? usual) === usual && (explode ?? usual === 'form') === (usual === 'form');
}

/** The responses whose status matches, references followed. */
function responsesOf(document: Document, operation: Document, statuses: RegExp): [string, Document][] {
  return Object.entries<Document>(operation.responses ?? {})
    .filter(([status]) => statuses.test(status))
    .map(([status, reference]) => [status, resolve(document, reference)]);
}

function contentOf(document: Document, owner: Document): Content {
  const media = owner.content?.['application/json'];
  const component = media?.schema?.$ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];
  const type = resolve(document, media?.schema)?.type;
  return {
    hasBody: media !== undefined,
    ...(component && { schema: component }),
    ...(typeof type === 'string' && { type }),
  };
}

/** The bounds of a schema in words. Those of every int64, the safe integers, are left out. */
export function limitsOf(schema: Document): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const safe = maximum === Number.MAX_SAFE_INTEGER && minimum === -maximum;
  const bounds: [number | undefined, number | undefined, string][] = [
    safe ? [undefined, undefined, ''] : [minimum, maximum, ''],
    [minLength, maxLength, ' characters'],
    [minItems, maxItems, ' items'],
  ];
  return bounds
    .map(([least, most, unit]) => {
      if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
      if (least !== undefined) return `At least ${least}${unit}.`;
      return most === undefined ? '' : `At most ${most}${unit}.`;
    })
    .filter(Boolean)
    .join(' ');
}

/** Follows a local `$ref` (RFC 6901 pointer) as long as there is one. */
export function resolve(document: Document, value: Document): Document {
  if (value?.$ref === undefined) return value;
  const segments = value.$ref.slice('#/'.length).split('/');
  const target = segments.reduce(
    (node: Document, segment: string) => node?.[segment.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return resolve(document, target);
}
