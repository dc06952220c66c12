import { type Document, type Operation, resolve } from '../contract.ts';
import { isPaged, sent } from './client.ts';
import { longDate } from './jsdoc.ts';

/**
 * The `x-codeSamples` of an operation, or of its replacement: `@petstore/client`, then curl, with the examples of the
 * contract. Empty if a required example is missing.
 */
export function codeSamples(document: Document, operations: Operation[], operation: Operation): object[] {
  const { id, deprecation } = operation;
  const replacement = operations.find((each) => each.id === deprecation?.replacedBy.operationId);
  const shown = replacement ?? operation;
  const parameters: Document = replacement ? { ...deprecation?.replacedBy.parameters } : {};
  for (const { name, required, schema, example = schema.example } of sent(shown)) {
    // The client follows cursors by itself.
    const useful = required || !(replacement || (isPaged(shown) && name === 'cursor'));
    if (useful && example !== undefined) parameters[name] ??= example;
    if (required && parameters[name] === undefined) return [];
  }
  const declared = resolve(document, document.paths[shown.path][shown.method].requestBody);
  const { example: body } = declared?.content?.['application/json'] ?? {};
  if (shown.body?.required && body === undefined) return [];

  const notice = deprecation && `${id} will be removed on ${longDate(deprecation.sunset)}.\nUse ${shown.id} instead.\n`;
  const source = (mark: string, code: string) => (notice ?? '').replace(/^(?=.)/gm, `${mark} `) + code;
  return [
    { lang: 'typescript', label: '@petstore/client', source: source('//', sdk(document, shown, parameters, body)) },
    { lang: 'shell', label: 'curl', source: source('#', curl(document, shown, parameters, body)) },
  ];
}

function sdk(document: Document, operation: Operation, parameters: object, body: unknown): string {
  const args = [sent(operation).length > 0 && parameters, body].filter(Boolean).map(literal).join(', ');
  const call = `${['petstore', operation.stability, operation.id].filter(Boolean).join('.')}(${args})`;
  const [schema] = /^[A-Z]\w*$/.exec(operation.success[0]?.body?.text ?? '') ?? ['Result'];
  const item = document.components?.schemas?.[schema]?.items?.$ref?.split('/').at(-1) ?? 'Item';
  const [all, each] = [schema, item].map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const client = `const petstore = createClient(${literal({ apiKey: 'YOUR_API_KEY' })});`;
  const use = isPaged(operation)
    ? `const ${all} = ${call};\nfor await (const ${each} of ${all}) console.log(${each});`
    : `const ${all} = await ${call};\nconsole.log(${all});`;
  return `import { createClient } from "@petstore/client";\n\n${client}\n\n${use}`;
}

/** JSON as a TypeScript literal: keys without quotes. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

function curl({ servers }: Document, { path, method }: Operation, parameters: object, body: unknown): string {
  const url = new URL(`${servers?.[0]?.url ?? 'http://127.0.0.1:3000'}${path}`);
  for (const [name, value] of Object.entries(parameters)) {
    const segment = encodeURIComponent(`{${name}}`);
    if (path.includes(`{${name}}`)) url.pathname = url.pathname.replace(segment, encodeURIComponent(value));
    else for (const each of [value].flat()) url.searchParams.append(name, each);
  }
  const json = body ? ["--header 'Content-Type: application/json'", `--data ${quote(JSON.stringify(body))}`] : [];
  const request = `curl --request ${method.toUpperCase()} ${quote(url.href)}`;
  return [request, "--header 'Authorization: Bearer YOUR_API_KEY'", ...json].join(' \\\n  ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
