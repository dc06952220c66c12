import { isDeepStrictEqual } from 'node:util';
import { closed, mapValues, type SchemaOrBoolean } from '@petstore-platform/openapi';
import { BEARER } from '@petstore-platform/server-runtime/tools';
import { basePathOf, type Content, type Document, type Operation } from '../contract.ts';
import type { ErrorBody } from '../failures.ts';
import { JSON_MEDIA } from '../media.ts';
import { withoutFileLimits } from '../parts.ts';
import { isEmpty } from '../security.ts';
import type { FailureBodies } from './failure.ts';
import { fieldsOf, mayBeText } from './fields.ts';
import { exported } from './jsdoc.ts';
import { RUNTIME } from './names.ts';
import { quoted, wrapped } from './values.ts';

/** The table from which the server routes, validates and answers requests. It reads no OpenAPI for that. */
export function serverTable(document: Document, operations: Operation[], failureBodies?: FailureBodies): string {
  const basePath = basePathOf(document);
  const components = (document.components?.schemas ?? {}) as Record<string, SchemaOrBoolean>;
  const responseOf = ({ success: successes }: Operation) => {
    const [first] = successes;
    const { kind, type, schema = true } = first?.body ?? {};
    const isRow = kind === 'json' || (kind === 'events' && type === 'object');
    const fields = isRow && fieldsOf(document, schema);
    const texts = successes.flatMap(({ status, body }) =>
      body?.kind === 'json' && mayBeText(document, body.schema) ? [Number(status)] : [],
    );
    const media = successes.flatMap(({ status, body }) =>
      body && (body.media !== JSON_MEDIA || body.others.length > 0)
        ? [[status, [body, ...body.others].map(mediaRow)]]
        : [],
    );
    return {
      status: Number(first?.status) || 200,
      ...(fields && { fields }),
      ...(media.length > 0 && { media: Object.fromEntries(media) }),
      ...(texts.length > 0 && { texts }),
    };
  };
  const errorBody = document['x-error'];
  /** The failures of which a body is known. A status takes precedence over its range. */
  const withBody = [...(failureBodies ?? [])].filter(([, { id, status, body }]) => {
    const first = /^\d+$/.test(status) ? '' : status === 'default' ? 500 : status.replace('XX', '00');
    return body && !failureBodies?.has(`${id} ${first}`);
  });
  const byId = Map.groupBy(withBody, ([, { id }]) => id);
  const failures = ({ type, code }: ErrorBody) => {
    const bodies = operations.map(({ id }) => {
      const schemas = (byId.get(id) ?? []).map(([place, { status }]) => [status, values[place]]);
      return [id, Object.fromEntries(schemas)];
    });
    return `const failures: NonNullable<Contract['failures']> = ${wrapped({ type, code, bodies: Object.fromEntries(bodies) })};`;
  };
  const named = operations.flatMap((operation): [string, SchemaOrBoolean][] => [
    ...operation.parameters.map(({ schema }, index): [string, SchemaOrBoolean] => [`${operation.id} ${index}`, schema]),
    [operation.id, bodySchema(operation)],
    ...(byId.get(operation.id) ?? []).map(([place, { schema }]): [string, SchemaOrBoolean] => [place, schema]),
  ]);
  const hasFiles = operations.some(({ body }) => body?.kind === 'parts');
  const { values, schemas } = closed(
    Object.fromEntries(named),
    hasFiles ? mapValues(components, withoutFileLimits) : components,
  );
  const rows = operations.map((operation) => {
    const { id, method, path, parameters, body, security } = operation;
    const row = {
      id,
      method: method.toUpperCase(),
      path: basePath + path,
      parameters: parameters.map(({ in: place, name, required, style }, index) => ({
        in: place,
        name,
        required: required === true,
        ...(style && { style }),
        schema: values[`${id} ${index}`],
      })),
      ...(body && {
        body: {
          required: body.required,
          ...(body.media !== JSON_MEDIA && { media: mediaRow(body) }),
          ...(body.max && { max: body.max }),
          ...Object.fromEntries(
            (['files', 'json', 'styles'] as const).flatMap((key) => (isEmpty(body[key]) ? [] : [[key, body[key]]])),
          ),
          schema: values[id],
        },
      }),
      ...(!isDeepStrictEqual(security, BEARER) && { security }),
      ...(operation.invalid && { invalid: operation.invalid }),
      response: responseOf(operation),
      announcement: announcement(operation, operations, basePath),
    };
    return [id, row];
  });
  const doc = 'By operationId. `announcement`: the headers of every response that announce a removal.';
  const table = `const operations = ${wrapped(Object.fromEntries(rows))} satisfies Contract['operations'];`;
  const shared = `const schemas: Contract['schemas'] = ${wrapped(schemas)};`;
  const responses = operations.flatMap(({ success, failures }) => [...success, ...failures]);
  const names = responses.flatMap(({ headers }) => headers.map(({ name }) => [name.toLowerCase(), name] as const));
  const headers = `const responseHeaders = ${wrapped([...new Map(names).values()])};`;
  return [
    `import type { Contract } from '${RUNTIME}';\n`,
    exported('The path that all operations share.', `const basePath = ${quoted(basePath)};`),
    exported(doc, table),
    exported('The schemas to which those of the operations refer, by name. An unknown field is refused.', shared),
    exported('The headers of all responses.', headers),
    ...(errorBody ? [exported('The bodies of failures, by operationId and status.', failures(errorBody))] : []),
  ].join('\n');
}

const mediaRow = ({ media, kind }: Content) => ({ type: media, kind });

/** The schema of a request body. That of a text may describe what is in it. */
function bodySchema({ body }: Operation): SchemaOrBoolean {
  if (!body || body.kind === 'bytes') return true;
  if (body.kind === 'parts') return withoutFileLimits(body.schema);
  return body.kind === 'text' && Object(body.schema).type !== 'string' ? { type: 'string' } : body.schema;
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to the operation that replaces it (RFC 5829). */
function announcement({ deprecation }: Operation, operations: Operation[], basePath: string): Record<string, string> {
  if (!deprecation) return {};
  const { at, sunset, replacedBy } = deprecation;
  const successor = operations.find(({ id }) => id === replacedBy?.operationId);
  const query = new URLSearchParams(replacedBy?.parameters as Record<string, string>).toString();
  return {
    ...(at && { Deprecation: `@${Date.parse(`${at}T00:00:00Z`) / 1000}` }),
    ...(sunset && { Sunset: new Date(`${sunset}T00:00:00Z`).toUTCString() }),
    ...(replacedBy && { Link: `<${basePath}${successor?.path}${query && `?${query}`}>; rel="successor-version"` }),
  };
}
