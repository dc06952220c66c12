import type { Style } from '@petstore-platform/openapi';
import type { Document } from '../contract.ts';
import { JSON_MEDIA } from '../media.ts';
import { environments, isIdempotent, isPaged, sent, stylesOf } from './client.ts';
import { acceptOf, isRedirect, optionsOf, READS } from './client-files.ts';
import type { Named } from './describe.ts';
import { exported } from './jsdoc.ts';
import { keyOf, literal, quoted } from './values.ts';

/** The run-time data of an SDK, which are the environments and the request of each operation. */
export function clientTable(document: Document, operations: Named[]): string {
  const urls = environments(document).map(([name, url]) => `  ${keyOf(name)}: ${quoted(url)},\n`);
  return [
    exported('Base URLs of the environments.', `const environments = {\n${urls.join('')}} as const;`),
    exported('How each operation is sent.', `const operations = {\n${operations.map(row).join('')}} as const;`),
  ].join('\n');
}

/** A row of the table. False flags are omitted. */
function row(operation: Named): string {
  const places = sent(operation).map(({ name, in: place }) => `${keyOf(name)}: '${place}'`);
  const row = ([name, { names: _names, ...style }]: [string, Style]) => `${keyOf(name)}: ${literal(style)}`;
  const styles = stylesOf(operation).map(({ name, style }) => row([name, style]));
  const fields = Object.entries(operation.body?.styles ?? {}).map(row);
  const result = resultOf(operation);
  const [event] = operation.success.flatMap(({ body }) => (body?.kind === 'events' ? body : []));
  const accept = Object.entries(acceptOf(operation)).map(([media, kind]) => `${keyOf(media)}: '${kind}'`);
  const options = optionsOf(operation).map((name) => `${name}: true`);
  const members = [
    `method: ${quoted(operation.method.toUpperCase())}`,
    `path: ${quoted(operation.path)}`,
    places.length > 0 && `parameters: { ${places.join(', ')} }`,
    styles.length > 0 && `styles: { ${styles.join(', ')} }`,
    fields.length > 0 && `fields: { ${fields.join(', ')} }`,
    operation.body && `body: '${operation.body.required ? 'required' : 'optional'}'`,
    operation.body && operation.body.media !== JSON_MEDIA && `type: ${quoted(operation.body.media)}`,
    result && `result: '${result}'`,
    event && `events: '${event.type === 'string' ? 'text' : event.type ? 'json' : 'any'}'`,
    accept.length > 0 && `accept: { ${accept.join(', ')} }`,
    options.length > 0 && `options: { ${options.join(', ')} }`,
    operation.failures.some(({ status }) => /404|4XX/.test(status)) && 'notFound: true',
    isPaged(operation) && 'pages: true',
    isIdempotent(operation) && 'idempotencyKey: true',
    operation.stability && `stability: '${operation.stability}'`,
  ];
  return `  ${keyOf(operation.name)}: { ${members.filter(Boolean).join(', ')} },\n`;
}

/** The JSON type of the 2xx responses; `text` or `blob` for one that is not JSON, `location` for a redirection, undefined without a body, and `any` for another one, or if they differ. */
function resultOf({ success }: Named): string | undefined {
  if (isRedirect({ success })) return 'location';
  const [type, ...others] = new Set(success.map(({ body }) => body && (READS[body.kind] ?? body.type ?? 'any')));
  const isKnown = type === undefined || ['array', 'object', 'text', 'blob'].includes(type);
  return isKnown && others.length === 0 ? type : 'any';
}
