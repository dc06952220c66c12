import { written } from '@petstore-platform/client-runtime/styles';
import { mapValues, type Style } from '@petstore-platform/openapi';
import {
  absoluteUrl,
  type Deprecation,
  type Document,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
  urlOf,
} from '../contract.ts';
import { JSON_MEDIA } from '../media.ts';
import { describeSecurity } from '../security.ts';
import type { Sdk } from '../targets.ts';
import { isIdempotencyKey, isIdempotent, isPaged, sent, stylesOf } from './client.ts';
import type { Named } from './describe.ts';
import { datesOf, longDate } from './jsdoc.ts';
import { isBindable } from './names.ts';
import { literal, markdown, shellWord } from './values.ts';

/**
 * The document of the reference page, as JSON. Extensions of the contract become text and badges, which the page can render. This
 * server comes first, so that a reader can try requests.
 */
export function referenceDocument(document: Document, operations: Named[], basePath: string, sdk?: Sdk): string {
  const page = structuredClone(document);
  page.servers = [{ url: basePath, description: 'This server' }, ...(page.servers ?? [])];
  page.info.description = [page.info.description, plansTable(page), headersList(page)].join('\n\n');
  for (const operation of operations) {
    const { path, method, deprecation, stability, security } = operation;
    const description = [operation.description, describeSecurity(security)].filter(Boolean).join('\n\n');
    const shown = resolve(page, page.paths?.[path])?.[method];
    if (!shown) continue;
    // The page sends examples by default. The cursor would lead to an empty list, and a repeated idempotency key to a 422.
    for (const reference of shown.parameters ?? []) {
      const parameter = resolve(page, reference);
      if (parameter.name === 'cursor' || isIdempotencyKey(parameter)) delete parameter.example;
    }
    if (description !== operation.description) shown.description = description;
    if (deprecation) shown.description = [description, notice(deprecation)].join('\n\n');
    if (stability) Object.assign(shown, { 'x-badges': [{ name: stability }] });
    shown['x-codeSamples'] = codeSamples(document, operations, operation, sdk);
  }
  return JSON.stringify(page);
}

function plansTable(document: Document): string {
  const show = (limit: number | null) => limit?.toLocaleString('en') ?? 'as agreed';
  const plans = Object.entries(document['x-rate-limit-plans'] ?? {});
  const rows = plans.map(
    ([name, { perMinute, perDay }]) => `| ${markdown(name)} | ${show(perMinute)} | ${show(perDay)} |`,
  );
  return ['| Plan | Per minute | Per day |', '|---|---|---|', ...rows].join('\n');
}

/** The rate limit headers, which the page otherwise shows only in collapsed responses. */
function headersList(document: Document): string {
  const items = Object.entries(document.components?.headers ?? {})
    .filter(([name]) => /^(x-)?ratelimit/i.test(name))
    .map(([name, one]) => `- \`${name}\`: ${resolve(document, one).description?.trim().replaceAll('\n', ' ') ?? ''}`);
  return ['Every response has these headers:', ...items].join('\n');
}

function notice(deprecation: Deprecation): string {
  const { replacedBy } = deprecation;
  const query = new URLSearchParams(replacedBy?.parameters as Record<string, string>).toString();
  const instead = replacedBy && `Use \`${replacedBy.operationId}\`${query && ` with \`${query}\``} instead.`;
  return ['**Deprecated.**', datesOf(deprecation), instead].filter(Boolean).join(' ');
}

/**
 * The `x-codeSamples` of an operation, or of its replacement if it is deprecated. One is for the SDK, if any, and one for curl,
 * both with the examples of the contract. The list is empty if a required example is missing.
 */
export function codeSamples(document: Document, operations: Named[], operation: Named, sdk?: Sdk) {
  const { name, deprecation } = operation;
  const replacement = operations.find((each) => each.id === deprecation?.replacedBy?.operationId);
  const shown = replacement ?? operation;
  const example = exampleOf(shown, replacement && (deprecation?.replacedBy?.parameters ?? {}));
  if (!example) return [];
  const { parameters, body } = example;
  const ends = deprecation?.sunset ? `${name} will be removed on ${longDate(deprecation.sunset)}.\n` : '';
  const notice = ends + (replacement ? `Use ${shown.name} instead.\n` : '');
  const source = (comment: string, code: string) => notice.replace(/^(?=.)/gm, `${comment} `) + code;
  const inShell = { lang: 'shell', label: 'curl', source: source('#', curl(document, shown, parameters, body)) };
  if (!sdk) return [inShell];
  const inSdk = source('//', sdkSample(document, shown, parameters, body, sdk));
  return [{ lang: 'typescript', label: sdk.package, source: inSdk }, inShell];
}

function sdkSample(
  document: Document,
  operation: Named,
  parameters: object,
  body: unknown,
  { package: name, variable }: Sdk,
): string {
  const places = sent(operation).length > 0 ? [parameters] : [];
  const json = operation.body && body !== undefined ? [body] : [];
  const args = [...places, ...json].map(plain).join(', ');
  const call = `${[variable, operation.stability, operation.name].filter(Boolean).join('.')}(${args})`;
  const [schema] = /^[A-Z]\w*$/.exec(operation.success[0]?.body?.text ?? '') ?? ['Result'];
  const { items }: Schema = document.components?.schemas?.[schema] ?? {};
  const item = Object(items).$ref?.split('/').at(-1) ?? 'Item';
  const taken = [variable, 'console', 'createClient'];
  const constantOf = (name: string, other: string) => {
    const constant = name.charAt(0).toLowerCase() + name.slice(1);
    const free = [constant, other, `${other}s`].find((one) => isBindable(one) && !taken.includes(one)) ?? '';
    taken.push(free);
    return free;
  };
  const [all, each] = [constantOf(schema, 'result'), constantOf(item, 'item')];
  const [credentials = []] = operation.security;
  const values = Object.fromEntries(
    credentials.map(({ kind }) => (kind === 'key' ? ['apiKey', KEY] : ['token', TOKEN])),
  );
  const client = `const ${variable} = createClient(${credentials.length > 0 ? plain(values) : ''});`;
  const show = operation.success[0]?.body && `\nconsole.log(${all});`;
  const use = isPaged(operation)
    ? `const ${all} = ${call};\nfor await (const ${each} of ${all}) console.log(${each});`
    : `${show ? `const ${all} = ` : ''}await ${call};${show ?? ''}`;
  return `import { createClient } from "${name}";\n\n${client}\n\n${use}`;
}

/** JSON as a TypeScript literal: keys without quotes. */
export const plain = (value: unknown) =>
  (value === undefined ? 'undefined' : literal(value, 2)).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/**
 * The examples of an operation's parameters and body; undefined if a required one is missing.
 *
 * @param overrides - parameters that take the place of all optional ones
 */
export function exampleOf(operation: Named, overrides?: object) {
  const parameters: Record<string, unknown> = { ...overrides };
  const { sample, body } = operation;
  for (const { name, required } of sent(operation)) {
    // A sample needs no cursor, because the client follows them itself.
    const isUseful = required || !(overrides || (isPaged(operation) && name === 'cursor'));
    if (isUseful && Object.hasOwn(sample.parameters, name)) parameters[name] ??= sample.parameters[name];
    if (required && parameters[name] === undefined) return undefined;
  }
  return body?.required && sample.body === undefined ? undefined : { parameters, body: sample.body };
}

/** The path, the query and the headers of a request. */
export function addressOf(operation: Named, parameters: object) {
  const styles = Object.fromEntries(stylesOf(operation).map(({ name, style }) => [name, style]));
  const places = Object.fromEntries(sent(operation).map(({ name, in: place }) => [name, place]));
  const { path: inPath, query, header, pairs } = writtenIn(styles, places, parameters);
  const path = operation.path.replace(/\{([^{}]*)\}/g, (place, name) =>
    // A lone surrogate has no encoding.
    Object.hasOwn(inPath, name) ? encodeURIComponent(`${inPath[name]}`.toWellFormed()) : place,
  );
  return { path, query: queryOf(query, pairs, String), headers: mapValues(header, String) };
}

/** Parameters or fields by place, lists and objects as texts. An example that cannot be written so is left out. */
function writtenIn(styles: Record<string, Style>, places: Record<string, Parameter['in']>, parameters: object) {
  const all = Object.entries(parameters).flatMap(([name, value]) => {
    try {
      return [written({ styles, parameters: places }, { [places[name] ?? 'query']: { [name]: value } })];
    } catch {
      return [];
    }
  });
  const of = (place: string): Record<string, unknown> => Object.assign({}, ...all.map(({ params }) => params[place]));
  const cookies = all.flatMap(({ params }) => params.header?.Cookie ?? []);
  const header = { ...of('header'), ...(cookies.length > 0 && { Cookie: cookies.join('; ') }) };
  return { path: of('path'), query: of('query'), header, pairs: all.flatMap(({ pairs }) => pairs) };
}

/** Values, of which a list is repeated, and encoded pairs. */
function queryOf(values: Record<string, unknown>, pairs: string[], textOf: (value: unknown) => string): string {
  const plain = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, textOf(each)]),
  );
  return [`${new URLSearchParams(plain)}`, ...pairs].filter(Boolean).join('&');
}

function curl(document: Document, operation: Named, parameters: object, body: unknown): string {
  const { method } = operation;
  const { path, query, headers } = addressOf(operation, parameters);
  const address = `${urlOf(document).replace(/\/$/, '')}${path}`;
  const inQuery = (operation.security[0] ?? []).flatMap(({ in: place, name }) =>
    place === 'query' ? [`${encodeURIComponent(`${name}`)}=${KEY}`] : [],
  );
  const search = [query, ...inQuery].filter(Boolean).join('&');
  const { href } = Object.assign(absoluteUrl(address, 'http://127.0.0.1:3000'), { search });
  // On a machine without `uuidgen`, the value is empty, and curl omits the header.
  const sentHeaders = Object.entries(headers).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`);
  const key = isIdempotent(operation) ? ['--header "Idempotency-Key: $(uuidgen)"'] : [];
  const { media = JSON_MEDIA, kind = 'json' } = operation.body ?? {};
  const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`);
  const formOf = (fields: object) => {
    const { query, pairs } = writtenIn(operation.body?.styles ?? {}, {}, fields);
    return queryOf(query, pairs, textOf);
  };
  const texts: Record<string, (body: object) => string> = { json: JSON.stringify, form: formOf };
  const { files = {} } = operation.body ?? {};
  const partsOf = (fields: object) =>
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((each) => {
        const text = textOf(each) + (typeof each === 'object' ? ';type=application/json' : '');
        return `--form ${shellWord(`${name}=${files[name] ? `@${name}.bin` : text}`)}`;
      }),
    );
  const json =
    body === undefined
      ? []
      : kind === 'parts'
        ? partsOf(Object(body))
        : [`--header 'Content-Type: ${media}'`, `--data ${shellWord((texts[kind] ?? String)(body as object))}`];
  const request = `curl --request ${method.toUpperCase()} ${shellWord(href)}`;
  const credentials = (operation.security[0] ?? []).flatMap(curlCredential);
  return [request, ...credentials, ...sentHeaders, ...key, ...json].join(' \\\n  ');
}

const KEY = 'YOUR_API_KEY';
const TOKEN = 'YOUR_TOKEN';

/** The arguments of curl for a credential. That of a query is in the URL. */
function curlCredential({ kind, in: place, name }: Operation['security'][0][0]): string[] {
  const value = kind === 'key' ? KEY : TOKEN;
  if (place === 'query') return [];
  if (place === 'basic') return [`--user ':${value}'`];
  if (place === 'cookie') return [`--cookie ${shellWord(`${name}=${value}`)}`];
  return [`--header ${shellWord(place === 'bearer' ? `Authorization: Bearer ${value}` : `${name}: ${value}`)}`];
}
