/** Prints the URLs of a service that is running, a key, and requests to paste. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { BEARER, type PlanLimits, type Security } from '@petstore-platform/server-runtime/operate';
import { visible } from './commands/output.ts';
import type { ServiceFolder } from './service-folder.ts';

interface Example {
  method: string;
  target: string;
  body?: unknown;
}

type Plans = Record<string, PlanLimits>;

/** Imports a generated module. */
export interface Generated {
  (name: 'routes'): Promise<{ basePath: string; operations: Record<string, { security?: Security }> }>;
  (name: 'examples'): Promise<{ examples: Record<string, Example> }>;
}

/** The requests are the contract's first ones that add and read something. */
export async function welcome(service: ServiceFolder, origin: string, generated: Generated, env: NodeJS.ProcessEnv) {
  const answer = await fetch(`${origin}/openapi.json`);
  const document = (await answer.json()) as { info: { title: string }; 'x-rate-limit-plans': Plans };
  const { basePath, operations } = await generated('routes');
  const { examples } = await generated('examples');
  const all = Object.entries(examples).map(([id, one]) => ({ ...one, security: operations[id]?.security ?? BEARER }));
  const credentials = [BEARER, ...all.map(({ security }) => security)].flat(2);
  const scopesOf = (kind: string) =>
    [...new Set(credentials.flatMap((one) => (one.kind === kind ? (one.scopes ?? []) : [])))].join();
  const run = runOf(service, env);
  const asked = all.find(({ method, security }) => method === 'GET' && security === BEARER);
  const key = await quickstartKey(
    service,
    asked && origin + asked.target,
    document['x-rate-limit-plans'],
    scopesOf('key'),
    run,
  );
  // A token of the development issuer, with all scopes, for a day.
  const scopes = scopesOf('token');
  const token =
    env.OIDC_JWKS && (await run('keys', 'token', ...(scopes ? ['--scopes', scopes] : [])).catch(() => ''))?.trim();
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

type Run = (...args: string[]) => Promise<string>;

/** Runs a command of the service. Resolves to its output. */
const runOf =
  ({ main }: ServiceFolder, env: NodeJS.ProcessEnv): Run =>
  async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env });
    return stdout;
  };

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
 * @param url - answers 401 to a key that the database does not have
 */
async function quickstartKey(service: ServiceFolder, url: string | undefined, plans: Plans, scopes: string, run: Run) {
  const file = path.join(service.data, 'quickstart-key');
  // Other content of the file, as after a power failure, is replaced.
  const [kept] = /^\w+_[\w-]{20,}/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  const headers = { Authorization: `Bearer ${kept}` };
  if (url && kept && (await fetch(url, { headers })).status !== 401) return kept;
  const limited = Object.entries(plans).filter(([, { perMinute, perDay }]) => perMinute !== null && perDay !== null);
  const [[plan] = ['']] = limited.sort(([, one], [, other]) => Number(other.perDay) - Number(one.perDay));
  // The owner is the subject of the development token, as the default claim of owners is `sub`.
  const owner = ['--owner', 'developer'];
  const options = ['--name', 'quickstart', '--plan', plan, ...owner, ...(scopes ? ['--scopes', scopes] : []), '--json'];
  const { key }: { key: string } = JSON.parse(await run('keys', 'create', ...options));
  mkdirSync(service.data, { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
