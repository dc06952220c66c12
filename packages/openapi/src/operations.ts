/** The operations of a document, each with all that it says of itself. */
import {
  type Document,
  type Header,
  METHODS,
  type Media,
  type Operation,
  type Parameter,
  type Response,
} from './document.ts';
import { type Any, isMap, mapValues } from './objects.ts';
import { from, type Report } from './origin.ts';
import { resolve } from './references.ts';

/** Headers that OpenAPI describes elsewhere (Parameter Object, `in: header`). */
const ELSEWHERE = /^(accept|content-type|authorization)$/i;

/** The operations of a document as it is written, each once, because paths may share an item. */
export function operationsIn(document: Document) {
  const items = new Map<Any, string>();
  for (const [path, one] of Object.entries<Any>(Object(document.paths))) {
    const item = path.startsWith('x-') ? undefined : resolve(document, one);
    if (isMap(item) && !items.has(item)) items.set(item, path);
  }
  return [...items].flatMap(([item, path]) =>
    METHODS.flatMap((method) => (isMap(item[method]) ? [{ path, item, method, operation: item[method] as Any }] : [])),
  );
}

/** The security scheme of a name. Undefined if there is none. */
export const schemeOf = (document: Document, name: string): Record<string, unknown> | undefined =>
  resolve(document, Object(document.components?.securitySchemes)[name]);

/** A path item whose operations have all their parameters. */
export function pathItem(document: Document, written: Any, template: string | undefined, report: Report): Any {
  const { $ref: _ref, parameters, ...beside } = written;
  const target = written.$ref === undefined ? {} : (resolve(document, written) ?? {});
  const item: Any = { ...target, ...beside };
  const shared = parameters ?? target.parameters;
  delete item.parameters;
  const merge = (operation: Any) => ({ ...operation, ...merged(document, operation, shared, template, report) });
  for (const method of METHODS) if (isMap(item[method])) item[method] = merge(item[method]);
  if (isMap(item.additionalOperations)) item.additionalOperations = mapValues(item.additionalOperations, merge);
  return item;
}

/** The parameters of a path and of its operation, which take precedence by name and location. */
function merged(document: Document, operation: Any, shared: unknown, template: string | undefined, report: Report) {
  const all = new Map<string, Any>();
  const declared = new Set<string>();
  const requirements: Any[] = [operation.security ?? document.security ?? []].flat();
  const schemes = requirements.flatMap((one) => Object.keys(Object(one))).map((name) => schemeOf(document, name));
  const isCredential = (one: Any) =>
    schemes.some((scheme) => scheme?.in === one.in && `${scheme?.name}`.toLowerCase() === one.name.toLowerCase());
  const names = template && [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const tell = (message: string, at = operation, level: 'error' | 'warning' = 'warning') =>
    report(level, 'parameters', at, message);
  for (const list of [shared, operation.parameters])
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      const found = resolve(document, one);
      const key = `${found?.in} ${found?.name}`;
      if (typeof found?.name !== 'string') tell(`Parameter ${index + 1} cannot be read.`, operation, 'error');
      else if (found.in === 'header' && ELSEWHERE.test(found.name))
        tell(`OpenAPI ignores a header parameter \`${found.name}\`.`, found);
      else if (isCredential(found))
        tell(`\`${found.name}\` is a credential, which no handler sees: the parameter is not read.`, found);
      else if (found.in === 'path' && names?.includes(found.name) === false)
        tell(`The path has no \`{${found.name}}\`: the parameter is not read.`, found);
      else {
        if (declared.has(key)) tell(`\`${found.name}\` is declared twice: the last one counts.`, found);
        if (list !== shared) declared.add(key);
        all.set(key, one);
      }
    }
  for (const name of names ?? []) {
    const key = `path ${name}`;
    if (all.has(key)) continue;
    tell(`The path parameter \`${name}\` is not declared: it is read as a string.`);
    all.set(key, from(operation, { name, in: 'path', required: true, schema: { type: 'string' } }));
  }
  return all.size > 0 || operation.parameters !== undefined ? { parameters: [...all.values()] } : {};
}

/** The operations of a normalized document, in its order. */
export const operationsOf = (document: Document): Operation[] =>
  operationsIn(document).map((one) => describe(document, one));

function describe(document: Document, { path, method, operation }: ReturnType<typeof operationsIn>[0]): Operation {
  const body = resolve(document, operation.requestBody);
  const { operationId, summary = '', description = '', tags = [], deprecated } = operation;
  return from(operation, {
    id: typeof operationId === 'string' ? operationId : `${method.toUpperCase()} ${path}`,
    method,
    path,
    summary: String(summary),
    description: String(description),
    tags,
    deprecated: deprecated === true,
    parameters: (operation.parameters ?? []).map((one: Any) => parameterOf(document, resolve(document, one))),
    ...(isMap(body) && {
      body: from(body, {
        required: body.required === true,
        description: String(body.description ?? ''),
        content: contentOf(document, body.content),
      }),
    }),
    responses: Object.entries<Any>(Object(operation.responses))
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, one]) => responseOf(document, status, resolve(document, one))),
    security: operation.security ?? document.security ?? [],
    extensions: Object.fromEntries(Object.entries(operation).filter(([key]) => key.startsWith('x-'))),
  });
}

export function parameterOf(document: Document, written: Any): Parameter {
  const [mediaType, media] = Object.entries<Any>(Object(written.content))[0] ?? [];
  const isForm = written.in === 'query' || written.in === 'cookie';
  const style = written.style ?? (isForm ? 'form' : 'simple');
  const example = exampleOf(document, written);
  return from(written, {
    name: written.name,
    in: written.in,
    required: written.required === true || written.in === 'path',
    schema: written.schema ?? media?.schema ?? {},
    ...(mediaType !== undefined && { mediaType }),
    style,
    explode: written.explode ?? (style === 'form' || style === 'deepObject'),
    allowReserved: written.allowReserved === true,
    ...(written.description !== undefined && { description: `${written.description}` }),
    ...(written.deprecated === true && { deprecated: true }),
    ...(example !== undefined && { example }),
  });
}

function responseOf(document: Document, status: string, written: Any): Response {
  const headers = Object.entries<Any>(Object(written?.headers)).map(([name, one]): Header => {
    const header = resolve(document, one) ?? {};
    const { schema = {}, required, description } = header;
    return from(header, { name, required: required === true, schema, ...(description && { description }) });
  });
  const description = String(written?.description ?? '');
  return from(written, { status, description, headers, content: contentOf(document, written?.content) });
}

function contentOf(document: Document, content: Any): Record<string, Media> {
  return mapValues(Object(content), (one) => {
    const media = resolve(document, one) ?? {};
    const example = exampleOf(document, media);
    return from(media, {
      ...(media.schema !== undefined && { schema: media.schema }),
      ...(example !== undefined && { example }),
      ...(isMap(media.encoding) && { encoding: media.encoding }),
      ...(media.itemSchema !== undefined && { itemSchema: media.itemSchema }),
    });
  });
}

/** The first example. */
function exampleOf(document: Document, { example, examples }: Any): unknown {
  return example ?? resolve(document, Object.values(Object(examples))[0])?.value;
}
