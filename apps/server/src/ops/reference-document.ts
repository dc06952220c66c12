import { basePathOf, type ContractDocument, type Operation, operationsOf } from '../http/operations.ts';

type Limit = number | null;
type Plans = Record<string, { perMinute: Limit; perDay: Limit }>;

/**
 * The contract as the reference page shows it: what is said in extensions, which no page knows, in words and badges; and
 * this server first, so that a request can be tried.
 */
export function referenceDocument(document: ContractDocument): object {
  const page = structuredClone(document) as ContractDocument & {
    info: { description?: string };
    'x-rate-limit-plans'?: Plans;
    components?: { headers?: Record<string, { description?: string }> };
  };
  page.servers.unshift({ url: basePathOf(document), description: 'This server' });
  page.info.description = [
    page.info.description,
    plansTable(page['x-rate-limit-plans'] ?? {}),
    headersTable(page.components?.headers ?? {}),
  ].join('\n\n');
  for (const operation of operationsOf(document).values()) {
    const shown = page.paths[operation.path]?.[operation.method.toLowerCase()] as ShownOperation;
    shown.description = [shown.description, notice(operation)].filter(Boolean).join('\n\n');
    if (shown['x-stability']) shown['x-badges'] = [{ name: shown['x-stability'] }];
  }
  return page;
}

interface ShownOperation {
  description?: string;
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

function notice({ deprecation }: Operation): string {
  if (!deprecation) return '';
  const { at, sunset, replacedBy } = deprecation;
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const query = new URLSearchParams(replacedBy.parameters).toString();
  const instead = `\`${replacedBy.operationId}\`${query && ` with \`${query}\``}`;
  return `**Deprecated** since ${date.format(at)}; removed on ${date.format(sunset)}. Use ${instead} instead.`;
}
