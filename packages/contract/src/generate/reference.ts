import { type Deprecation, type Document, type Operation, resolve, type Schema, type Sdk } from '../contract.ts';
import { isIdempotencyKey, isIdempotent, isPaged, sent } from './client.ts';
import { longDate } from './jsdoc.ts';

/**
 * The document of the reference page, as JSON. Extensions of the contract become text and badges, which the page can render. This
 * server comes first, so that a reader can try requests.
 */
export function referenceDocument(document: Document, operations: Operation[], basePath: string, sdk?: Sdk): string {
  const page = structuredClone(document);
  page.servers = [{ url: basePath, description: 'This server' }, ...(page.servers ?? [])];
  page.info.description = [page.info.description, plansTable(page), headersList(page)].join('\n\n');
  for (const operation of operations) {
    const { path, method, description, deprecation, stability } = operation;
    const shown = resolve(page, page.paths?.[path])?.[method];
    if (!shown) continue;
    // The page sends examples by default. The cursor would lead to an empty list, and a repeated idempotency key to a 422.
    for (const reference of shown.parameters ?? []) {
      const parameter = resolve(page, reference);
      if (parameter.name === 'cursor' || isIdempotencyKey(parameter)) delete parameter.example;
    }
    if (deprecation) shown.description = [description, notice(deprecation)].join('\n\n');
    if (stability) Object.assign(shown, { 'x-badges': [{ name: stability }] });
    shown['x-codeSamples'] = codeSamples(document, operations, operation, sdk);
  }
  return JSON.stringify(page);
}

function plansTable(document: Document): string {
  const show = (limit: number | null) => limit?.toLocaleString('en') ?? 'as agreed';
  const plans = Object.entries(document['x-rate-limit-plans'] ?? {});
  const rows = plans.map(([name, { perMinute, perDay }]) => `| ${name} | ${show(perMinute)} | ${show(perDay)} |`);
  return ['| Plan | Per minute | Per day |', '|---|---|---|', ...rows].join('\n');
}

/** The rate limit headers, which the page otherwise shows only in collapsed responses. */
function headersList(document: Document): string {
  const items = Object.entries(document.components?.headers ?? {})
    .filter(([name]) => /^(x-)?ratelimit/i.test(name))
    .map(([name, one]) => `- \`${name}\`: ${resolve(document, one).description?.trim().replaceAll('\n', ' ') ?? ''}`);
  return ['Every response has these headers:', ...items].join('\n');
}

function notice({ at, sunset, replacedBy }: Deprecation): string {
  const query = new URLSearchParams(replacedBy.parameters as Record<string, string>).toString();
  const instead = `\`${replacedBy.operationId}\`${query && ` with \`${query}\``}`;
  return `**Deprecated** since ${longDate(at)}; it will be removed on ${longDate(sunset)}. Use ${instead} instead.`;
}

/**
 * The `x-codeSamples` of an operation, or of its replacement if it is deprecated. One is for the SDK, if any, and one for curl,
 * both with the examples of the contract. The list is empty if a required example is missing.
 */
function codeSamples(document: Document, operations: Operation[], operation: Operation, sdk?: Sdk) {
  const { id, deprecation } = operation;
  const replacement = operations.find((each) => each.id === deprecation?.replacedBy.operationId);
  const shown = replacement ?? operation;
  const parameters: Record<string, unknown> = replacement ? { ...deprecation?.replacedBy.parameters } : {};
  for (const { name, required, schema, example = schema.example } of sent(shown)) {
    // A sample needs no cursor, because the client follows them itself.
    const useful = required || !(replacement || (isPaged(shown) && name === 'cursor'));
    if (useful && example !== undefined) parameters[name] ??= example;
    if (required && parameters[name] === undefined) return [];
  }
  const body = shown.body?.example;
  if (shown.body?.required && body === undefined) return [];

  const notice = deprecation && `${id} will be removed on ${longDate(deprecation.sunset)}.\nUse ${shown.id} instead.\n`;
  const source = (comment: string, code: string) => (notice ?? '').replace(/^(?=.)/gm, `${comment} `) + code;
  const own = sdk && {
    lang: 'typescript',
    label: sdk.package,
    source: source('//', sdkSample(document, shown, parameters, body, sdk)),
  };
  return [
    ...(own ? [own] : []),
    { lang: 'shell', label: 'curl', source: source('#', curl(document, shown, parameters, body)) },
  ];
}

function sdkSample(
  document: Document,
  operation: Operation,
  parameters: object,
  body: unknown,
  { package: name, variable }: Sdk,
): string {
  const args = [sent(operation).length > 0 && parameters, body].filter(Boolean).map(literal).join(', ');
  const call = `${[variable, operation.stability, operation.id].filter(Boolean).join('.')}(${args})`;
  const [schema] = /^[A-Z]\w*$/.exec(operation.success[0]?.body?.text ?? '') ?? ['Result'];
  const { items }: Schema = document.components?.schemas?.[schema] ?? {};
  const item = Object(items).$ref?.split('/').at(-1) ?? 'Item';
  const [all, each] = [schema, item].map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const client = `const ${variable} = createClient(${literal({ apiKey: 'YOUR_API_KEY' })});`;
  const show = operation.success[0]?.body && `\nconsole.log(${all});`;
  const use = isPaged(operation)
    ? `const ${all} = ${call};\nfor await (const ${each} of ${all}) console.log(${each});`
    : `${show ? `const ${all} = ` : ''}await ${call};${show ?? ''}`;
  return `import { createClient } from "${name}";\n\n${client}\n\n${use}`;
}

/** JSON as a TypeScript literal: keys without quotes. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/** The examples of an operation's parameters and body; undefined if a required one is missing. */
export function exampleOf(operation: Operation): { parameters: Record<string, unknown>; body: unknown } | undefined {
  const parameters: Record<string, unknown> = {};
  for (const { name, required, schema, example = schema.example } of sent(operation)) {
    if (example !== undefined && !(isPaged(operation) && name === 'cursor')) parameters[name] = example;
    if (required && parameters[name] === undefined) return undefined;
  }
  const body = operation.body?.example;
  return operation.body?.required && body === undefined ? undefined : { parameters, body };
}

/** The path and query of a request. */
export function addressOf({ path: template }: Operation, parameters: object): { path: string; query: string } {
  let path = template;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    const place = `{${name}}`;
    // A lone surrogate has no encoding.
    if (path.includes(place)) path = path.replace(place, () => encodeURIComponent(String(value).toWellFormed()));
    else for (const each of [value].flat()) query.append(name, each);
  }
  return { path, query: String(query) };
}

function curl({ servers }: Document, operation: Operation, parameters: object, body: unknown): string {
  const { method } = operation;
  const { path, query } = addressOf(operation, parameters);
  const address = `${servers?.[0]?.url ?? ''}${path}`;
  const { href } = Object.assign(new URL(address, 'http://127.0.0.1:3000'), { search: query });
  // On a machine without `uuidgen`, the value is empty, and curl omits the header.
  const key = isIdempotent(operation) ? ['--header "Idempotency-Key: $(uuidgen)"'] : [];
  const json = body ? ["--header 'Content-Type: application/json'", `--data ${quote(JSON.stringify(body))}`] : [];
  const request = `curl --request ${method.toUpperCase()} ${quote(href)}`;
  return [request, "--header 'Authorization: Bearer YOUR_API_KEY'", ...key, ...json].join(' \\\n  ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
