/** Prints the URLs of a service that is running, a key, and requests to paste. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  BEARER,
  DAY,
  type PlanLimits,
  type Security,
  type Service,
  withDatabase,
} from '@petstore-platform/server-runtime/operate';
import { insertApiKey } from './commands/api-keys.ts';
import { visible } from './commands/output.ts';
import { developmentToken } from './commands/token.ts';
import { importBeside, type ServiceFolder } from './service-folder.ts';

interface Example {
  method: string;
  target: string;
  body?: unknown;
}

/** The owner of its key and of its token, as the default claim of owners is `sub`. */
const DEVELOPER = 'developer';

/** The requests are the contract's first ones that add and read something. */
export async function welcome(folder: ServiceFolder, origin: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { service }: { service: Service } = await importBeside(folder, 'service');
  const { examples }: { examples: Record<string, Example> } = await importBeside(folder, 'generated/examples');
  const { basePath, operations, document } = service.contract;
  const all = Object.entries(examples).map(([id, one]) => ({ ...one, security: operations[id]?.security ?? BEARER }));
  const credentials = [BEARER, ...all.map(({ security }) => security)].flat(2);
  const scopesOf = (kind: string) => [
    ...new Set(credentials.flatMap((one) => (one.kind === kind ? (one.scopes ?? []) : []))),
  ];
  const example = all.find(({ method, security }) => method === 'GET' && security === BEARER);
  const url = example && origin + example.target;
  const key = await quickstartKey(folder, service, { url, scopes: scopesOf('key'), database: `${env.DATABASE_URL}` });
  // A token of the development issuer, with all scopes, for a day.
  const claims = { subject: DEVELOPER, scopes: scopesOf('token'), claim: {}, valid: DAY };
  const token = service.tokens && (await developmentToken(env, claims).catch(() => undefined));
  const reading = all.find(({ method }) => method === 'GET');
  const adding = all.find(({ method }) => method === 'POST');
  const requests = [...new Set([adding, reading, all[0]])].filter((each) => each !== undefined);
  const tries = requests.map((each) => curl(origin, { key, ...(token && { token }) }, each)).join('\n\n');
  const docs = env.DOCS === 'off' ? '' : `  Docs   ${origin}/docs\n`;
  console.log(`
  ${visible(document.info.title)} is running.

  API    ${origin}${basePath}
${docs}  Key    ${key}
${token ? `  Token  ${token}\n` : ''}${tries ? `\n  Try:\n\n${tries}\n` : ''}`);
}

function curl(origin: string, texts: Record<string, string>, one: Example & { security: Security }): string {
  const { method, target, body, security } = one;
  const quoted = (text: string) => `'${visible(text).replaceAll("'", `'\\''`)}'`;
  const how = method === 'GET' ? '' : `-X ${method} `;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
  let url = origin + target;
  let sent = '';
  for (const { kind, in: place, name } of security[0] ?? []) {
    const text = texts[kind] ?? 'YOUR_TOKEN';
    if (place === 'bearer') sent += ` -H 'Authorization: Bearer ${text}'`;
    else if (place === 'basic') sent += ` -u ':${text}'`;
    else if (place === 'cookie') sent += ` -b ${quoted(`${name}=${text}`)}`;
    else if (place === 'header') sent += ` -H ${quoted(`${name}: ${text}`)}`;
    else url += `${url.includes('?') ? '&' : '?'}${encodeURIComponent(`${name}`)}=${text}`;
  }
  return `curl ${how}${quoted(url)}${sent}${data}`;
}

/**
 * The key of the last start if this database has it, otherwise a new one of the plan with the highest daily limit.
 *
 * @param with.url - answers 401 to a key that the database does not have
 */
async function quickstartKey(
  { data }: ServiceFolder,
  service: Service,
  { url, scopes, database }: { url: string | undefined; scopes: string[]; database: string },
): Promise<string> {
  const file = path.join(data, 'quickstart-key');
  // Other content of the file, as after a power failure, is replaced.
  const [kept] = /^\w+_[\w-]{20,}/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  if (url && kept && (await fetch(url, { headers: { Authorization: `Bearer ${kept}` } })).status !== 401) return kept;
  const plans = Object.entries<PlanLimits>(service.contract.plans);
  const limited = plans.filter(([, { perMinute, perDay }]) => perMinute !== null && perDay !== null);
  const [[plan] = ['']] = limited.sort(([, one], [, other]) => Number(other.perDay) - Number(one.perDay));
  const newKey = { name: 'quickstart', plan, owner: DEVELOPER, scopes };
  const { key } = await withDatabase(service, database, (db) => insertApiKey(service, db, newKey), 5_000);
  mkdirSync(data, { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
