import type { Deprecation, Document, Operation } from '../contract.ts';
import { longDate } from './jsdoc.ts';
import { codeSamples } from './samples.ts';

/**
 * The document of the reference page, as JSON: the contract with its extensions as text and badges, which the page can
 * render, and this server first, so that a reader can try requests.
 */
export function referenceDocument(document: Document, operations: Operation[], basePath: string): string {
  const page = structuredClone(document);
  page.servers = [{ url: basePath, description: 'This server' }, ...(page.servers ?? [])];
  page.info.description = [page.info.description, plansTable(page), headersList(page)].join('\n\n');
  // The page sends examples by default: this cursor would give an empty list, a repeated idempotency key 422.
  for (const name of ['Cursor', 'IdempotencyKey']) delete page.components?.parameters?.[name]?.example;
  for (const operation of operations) {
    const { path, method, description, deprecation, stability } = operation;
    const shown = page.paths[path][method];
    if (deprecation) shown.description = [description, notice(deprecation)].join('\n\n');
    if (stability) shown['x-badges'] = [{ name: stability }];
    shown['x-codeSamples'] = codeSamples(document, operations, operation);
  }
  return JSON.stringify(page);
}

function plansTable(document: Document): string {
  const show = (limit: number | null) => limit?.toLocaleString('en') ?? 'as agreed';
  const rows = Object.entries<Document>(document['x-rate-limit-plans'] ?? {}).map(([name, { perMinute, perDay }]) => {
    return `| ${name} | ${show(perMinute)} | ${show(perDay)} |`;
  });
  return ['| Plan | Per minute | Per day |', '|---|---|---|', ...rows].join('\n');
}

/** The rate limit headers, which the page otherwise shows only in collapsed responses. */
function headersList(document: Document): string {
  const items = Object.entries<Document>(document.components?.headers ?? {})
    .filter(([name]) => /^(x-)?ratelimit/i.test(name))
    .map(([name, { description = '' }]) => `- \`${name}\`: ${description.trim().replaceAll('\n', ' ')}`);
  return ['Every response has these headers:', ...items].join('\n');
}

function notice({ at, sunset, replacedBy }: Deprecation): string {
  const query = new URLSearchParams(replacedBy.parameters as Record<string, string>).toString();
  const instead = `\`${replacedBy.operationId}\`${query && ` with \`${query}\``}`;
  return `**Deprecated** since ${longDate(at)}; it will be removed on ${longDate(sunset)}. Use ${instead} instead.`;
}
