import { basePath } from '../generated/table.ts';

/** The part of the contract that is read here. The lint has checked it. */
export interface ContractDocument {
  servers: { url: string; description?: string }[];
  info: { description?: string };
  paths: Record<string, Record<string, object>>;
  components?: { headers?: Record<string, { description?: string }> };
  'x-rate-limit-plans'?: Plans;
}

type Limit = number | null;
type Plans = Record<string, { perMinute: Limit; perDay: Limit }>;

/**
 * The contract as the reference page shows it: what is said in extensions, which no page knows, in words and badges; and
 * this server first, so that a request can be tried.
 */
export function referenceDocument(document: ContractDocument): object {
  const page = structuredClone(document);
  page.servers.unshift({ url: basePath, description: 'This server' });
  page.info.description = [
    page.info.description,
    plansTable(page['x-rate-limit-plans'] ?? {}),
    headersTable(page.components?.headers ?? {}),
  ].join('\n\n');
  for (const operation of Object.values(page.paths).flatMap((item) => Object.values(item) as ShownOperation[])) {
    if (operation.deprecated) operation.description = [operation.description, notice(operation)].join('\n\n');
    if (operation['x-stability']) operation['x-badges'] = [{ name: operation['x-stability'] }];
  }
  return page;
}

interface ShownOperation {
  description?: string;
  deprecated?: boolean;
  'x-deprecated-at'?: string;
  'x-sunset'?: string;
  'x-replaced-by'?: { operationId: string; parameters?: Record<string, string> };
  'x-stability'?: string;
  'x-badges'?: { name: string }[];
}

function plansTable(plans: Plans): string {
  const show = (limit: Limit) => limit?.toLocaleString('en') ?? 'as agreed';
  const rows = Object.entries(plans).map(([name, { perMinute, perDay }]) => {
    return `| ${name} | ${show(perMinute)} | ${show(perDay)} |`;
  });
  return ['| Plan | Per minute | Per day |', '|---|---|---|', ...rows].join('\n');
}

/** How a client stands: a page shows the headers of a response only to who unfolds it. */
function headersTable(headers: Record<string, { description?: string }>): string {
  const rows = Object.entries(headers)
    .filter(([name]) => /^(x-)?ratelimit/i.test(name))
    .map(([name, { description = '' }]) => `| \`${name}\` | ${description.trim().replaceAll('\n', ' ')} |`);
  return ['| Header of every response | |', '|---|---|', ...rows].join('\n');
}

function notice(operation: ShownOperation): string {
  const { 'x-deprecated-at': since = '', 'x-sunset': sunset = '', 'x-replaced-by': successor } = operation;
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const query = new URLSearchParams(successor?.parameters).toString();
  const instead = `\`${successor?.operationId}\`${query && ` with \`${query}\``}`;
  return `**Deprecated** since ${date.format(new Date(since))}; removed on ${date.format(new Date(sunset))}. Use ${instead} instead.`;
}
