import { type Document, type Operation, type Parameter, STABILITIES, urlOf } from '../contract.ts';
import { codesByStatus } from '../failures.ts';
import { choicesOf, isEvents, isRedirect, isUpload } from './client-files.ts';
import type { Described, Named } from './describe.ts';
import { documented, exported, exportedInterface, importing, operationDoc } from './jsdoc.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { schemas } from './schema.ts';
import { comment, keyOf, literal, property, prose, quoted } from './values.ts';

/** The types of an SDK: schemas, parameters, operations by operationId, and failures. */
export function clientOperations({ document, operations, typeOf, names }: Described): string {
  const places = environments(document).map(([name]) => quoted(name));
  const modules = {
    [CLIENT_RUNTIME]: ['Call', 'CallOptions', 'IdempotentCallOptions', 'PagedCall'],
    [`${CLIENT_RUNTIME}/events`]: ['EventOptions', 'EventStream'],
    [`${CLIENT_RUNTIME}/files`]: ['StreamOptions', 'UploadOptions'],
    [`${CLIENT_RUNTIME}/formats`]: ['WithFiles'],
  };
  return importing(modules, [
    exported('An environment of the API.', `type Environment = ${places.join(' | ') || 'never'};`),
    ...schemas(document, typeOf, names),
    ...operations.filter((operation) => sent(operation).length > 0).map(parametersType),
    exportedInterface('The operations of the API, by their operationId.', 'Operations', grouped(operations, method)),
    exportedInterface(
      'The body of each failure that an operation declares, by HTTP status.',
      'OperationFailures',
      operations.map(failures),
    ),
    exportedInterface(
      'The codes of failures by HTTP status, as far as the contract tells. Others may be added.',
      'FailureCodes',
      // The codes of another body of failures are in a header.
      document['x-error'] ? [] : [[...codesByStatus(document)].sort().map(codesOf).join('\n')],
    ),
  ]);
}

/**
 * The parameters that are arguments of the method. Other headers are options, so that a new one does not change the arguments. A browser
 * sends its own cookies, so that none has to be given.
 */
export const sent = ({ parameters }: Operation) => {
  const others = parameters.filter((one) => one.in === 'path' || one.in === 'query' || isNeededHeader(one));
  const cookies = parameters.filter((one) => one.in === 'cookie' && !others.some(({ name }) => name === one.name));
  return [...others, ...cookies.map((one) => ({ ...one, required: false }))];
};

/** The lists and objects among them, each with its style. */
export const stylesOf = (operation: Operation) =>
  sent(operation).flatMap(({ name, style }) => (style ? [{ name, style }] : []));

/** A header without which the operation is refused. The client makes an idempotency key by itself. */
const isNeededHeader = (one: Parameter) => one.in === 'header' && one.required && !isIdempotencyKey(one);

/** The type of the options of a call, which names the headers that the operation knows. */
export function optionsType(operation: Operation): string {
  const options = isIdempotent(operation) ? 'IdempotentCallOptions' : 'CallOptions';
  const optional = operation.parameters.filter((one) => one.in === 'header' && !one.required && !isIdempotencyKey(one));
  const headers = optional.map(({ name }) => `readonly ${keyOf(name)}?: string | undefined`).join('; ');
  return [
    options,
    headers && `{ readonly headers?: { ${headers} } | undefined }`,
    isUpload(operation) && 'UploadOptions',
    isEvents(operation) && 'EventOptions',
  ]
    .filter(Boolean)
    .join(' & ');
}

/** Paging requires the `cursor` query parameter and the `Link` response header (RFC 8288). */
export const isPaged = ({ parameters, success }: Operation) =>
  parameters.some(({ in: place, name }) => place === 'query' && name === 'cursor') &&
  success.every(({ body }) => body?.type === 'array') &&
  success.some(({ headers }) => headers.some(({ name }) => /^link$/i.test(name)));

/** Whether the operation takes an idempotency key (draft-ietf-httpapi-idempotency-key-header-07). */
export const isIdempotent = ({ parameters }: Operation) => parameters.some(isIdempotencyKey);

export const isIdempotencyKey = ({ in: place, name }: { in?: string; name?: string }) =>
  place === 'header' && /^idempotency-key$/i.test(`${name}`);

/** `ListOrdersParameters`: path and query parameters in one object. */
function parametersType(operation: Named): string {
  const fields = sent(operation).map((parameter) => {
    const { name, required, schema, text } = parameter;
    return documented(parameter, schema, property(name, text, required === true));
  });
  return exportedInterface(prose(`The parameters of \`${operation.name}\`.`), operation.types.Parameters, fields);
}

/** Members for operations. Those of unstable ones are separate: `readonly beta: { … }`. */
export function grouped(operations: Named[], member: (operation: Named, indent?: string) => string): string[] {
  const of = (stability?: string) => operations.filter((operation) => operation.stability === stability);
  const groups = Object.entries(STABILITIES).flatMap(([stability, may]) => {
    const members = of(stability).map((operation) => member(operation, '    '));
    if (members.length === 0) return [];
    return [`${comment(`Operations that ${may}.`, '  ')}\n  readonly ${stability}: {\n${members.join('\n\n')}\n  };`];
  });
  return [...of().map((operation) => member(operation)), ...groups];
}

const ITERATION =
  'Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.';

function method(operation: Named, indent = '  '): string {
  const { name, types, body, success } = operation;
  // TypeScript allows `?` only if all following parameters are optional, too.
  const optional = body?.required || sent(operation).some(({ required }) => required) ? '' : '?';
  const parameters = [
    sent(operation).length > 0 && `parameters${optional}: ${types.Parameters}`,
    body && `body${body.required ? '' : '?'}: ${bodyType(body)}`,
  ].filter((parameter) => typeof parameter === 'string');
  const signature = (parameters: string[], call: string) =>
    `${operationDoc(operation, indent, isPaged(operation) ? ITERATION : '')}\n${indent}${keyOf(name)}(${parameters.join(', ')}): ${call};`;
  // The client follows no redirection. The result is where it leads.
  const results = isRedirect(operation) ? ['string'] : success.map(({ body }) => `${body?.text}`);
  const kind = isEvents(operation) ? 'EventStream' : isPaged(operation) ? 'PagedCall' : 'Call';
  const call = `${kind}<${[...new Set(results)].join(' | ') || 'never'}>`;
  const options = optionsType(operation);
  // Types that are made of a method take its last signature.
  const explicit = parameters.map((parameter) => parameter.replace(/^(\w+)\?: (.*)$/s, '$1: $2 | undefined'));
  const others = choicesOf(operation).map(([choice, result]) =>
    signature([...explicit, `options: ${options} & ${choice}`], result),
  );
  return [...others, signature([...parameters, `options?: ${options}`], call)].join('\n\n');
}

/** The type of a body. The fields of a form that are files are blobs. */
export function bodyType({ text, kind, files = {} }: NonNullable<Operation['body']>): string {
  if (kind === 'bytes') return `${text} | ReadableStream<Uint8Array>`;
  const names = Object.keys(files).map((name) => literal(name));
  return names.length > 0 ? `WithFiles<${text}, ${names.join(' | ')}>` : text;
}

function failures({ name, failures }: Named): string {
  const fields = failures.map(
    ({ status, body }) => `    ${/^\d+$/.test(status) ? status : keyOf(status)}: ${body?.text};\n`,
  );
  const doc = comment(prose(`The failures of \`${name}\`.`), '  ');
  return `${doc}\n  ${keyOf(name)}: ${fields.length > 0 ? `{\n${fields.join('')}  }` : '{}'};`;
}

const codesOf = ([status, codes]: [string, Set<string>]) =>
  `  /** With the status ${status}. */\n  ${status}: ${[...codes].map(quoted).join(' | ')};`;

/** The servers with an `x-environment`, the production first. Without any, the first server is the production. */
export function environments(document: Document): [name: string, url: string][] {
  const named = (document.servers ?? []).flatMap((server): [string, string][] => {
    const { 'x-environment': name } = server;
    return name ? [[name, urlOf(document, server)]] : [];
  });
  if (named.length === 0) return [['production', urlOf(document)]];
  return named.sort(([one], [other]) => Number(other === 'production') - Number(one === 'production'));
}

/** The calls of `fetchClient` that editors strike through. */
export function clientDeprecated(operations: Operation[]): string {
  const deprecated = operations.filter(({ deprecation }) => deprecation);
  const methods = [...new Set(deprecated.map(({ method }) => method))].map((method) => {
    const calls = deprecated
      .filter((operation) => operation.method === method)
      .map((operation) => {
        const [path, verb] = [quoted(operation.path), quoted(method)];
        const signature = `<Init extends FetchCallOptions<paths, ${path}, ${verb}>>(\n      url: ${path},\n      ...init: FetchCallArguments<paths, ${path}, ${verb}, Init>\n    ): FetchCallResult<paths, ${path}, ${verb}, Init>;`;
        return `${operationDoc(operation, '    ')}\n    ${signature}`;
      });
    return `  ${method}: {\n${calls.join('\n')}\n  };`;
  });
  const modules = {
    [CLIENT_RUNTIME]: ['FetchCallArguments', 'FetchCallOptions', 'FetchCallResult'],
    './schema.ts': ['paths'],
  };
  const doc = 'The calls of deprecated operations, by method.';
  return importing(modules, [exportedInterface(doc, 'Deprecated', methods)]);
}
