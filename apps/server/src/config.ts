import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { LoadLimits } from './http/load-shedding.ts';
import type { BanPolicy } from './limits/windows.ts';

export interface Config {
  host: string;
  port: number;
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined;
  /** Where the embedded Postgres keeps its data. */
  dataDir: string;
  logLevel: string;
  trustProxy: false | number | string[];
  corsOrigins: string[];
  metricsHost: string;
  /** Undefined: no metrics. */
  metricsPort: number | undefined;
  /** Whether there is a page at `/docs`. */
  docs: boolean;
  load: LoadLimits;
  ban: BanPolicy;
}

/** A start that cannot succeed as it was configured. Its message is all that the operator needs to see. */
export class ConfigError extends Error {}

interface Variable<T> {
  /** One line for `.env.example` and the README. */
  description: string;
  /** As it would be written in the environment. Empty: not set. */
  default: string;
  /** @throws Error with what is expected, as in "must be a port" */
  parse(value: string): T;
}

const variable = <T>(definition: Variable<T>) => definition;

/** Every environment variable of the server. */
export const variables = {
  HOST: variable({
    description: 'Address to listen on.',
    default: '127.0.0.1',
    parse: (value) => value,
  }),
  PORT: variable({
    description: 'Port to listen on; 0 takes a free one.',
    default: '3000',
    parse: port,
  }),
  DATABASE_URL: variable({
    description: 'Postgres, as in postgres://user:password@host:5432/petstore. Not set: the embedded Postgres.',
    default: '',
    parse: databaseUrl,
  }),
  PETSTORE_DATA_DIR: variable({
    description: 'Where the embedded Postgres keeps its data. Default: .petstore in the checkout.',
    default: '',
    parse: (value) => (value === '' ? path.join(checkout(), '.petstore') : path.resolve(value)),
  }),
  LOG_LEVEL: variable({
    description: 'trace, debug, info, warn, error, fatal or silent.',
    default: 'info',
    parse: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  }),
  TRUST_PROXY: variable({
    description:
      'Whose X-Forwarded-For and X-Request-Id to believe: a number of hops, or addresses and CIDRs, comma-separated.',
    default: '',
    parse: trustProxy,
  }),
  CORS_ORIGINS: variable({
    description: 'Origins that browsers may call from, comma-separated, as in https://app.example. Not set: none.',
    default: '',
    parse: origins,
  }),
  METRICS_PORT: variable({
    description: 'Port for Prometheus, which reads /metrics there; 0 takes a free one. Not set: no metrics.',
    default: '',
    parse: (value) => (value === '' ? undefined : port(value)),
  }),
  METRICS_HOST: variable({
    description: 'Address to listen on for Prometheus.',
    default: '127.0.0.1',
    parse: (value) => value,
  }),
  DOCS: variable({
    description: 'on or off: whether there is a page at /docs. The contract at /openapi.json is there in any case.',
    default: 'on',
    parse: (value) => oneOf('on', 'off')(value) === 'on',
  }),
  MAX_REQUESTS: variable({
    description: 'Requests in progress from which further ones are answered 503 at once; 0 for no limit.',
    default: '1000',
    parse: count,
  }),
  MAX_EVENT_LOOP_DELAY: variable({
    description:
      'Delay of the event loop in milliseconds from which requests are answered 503 at once; 0 for no limit.',
    default: '250',
    parse: count,
  }),
  BAN_AFTER: variable({
    description: 'Requests refused within one minute after which a key or an address is banned.',
    default: '60',
    parse: positive,
  }),
  BAN_SECONDS: variable({
    description: 'How long a ban lasts, in seconds.',
    default: '600',
    parse: positive,
  }),
};

/**
 * The configuration that an environment describes.
 *
 * @throws ConfigError that names every bad variable; values are not repeated, they may be secret
 */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const read = <T>(name: keyof typeof variables, { default: fallback, parse }: Variable<T>): T => {
    try {
      return parse(environment[name]?.trim() || fallback);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return undefined as T;
    }
  };
  const config: Config = {
    host: read('HOST', variables.HOST),
    port: read('PORT', variables.PORT),
    databaseUrl: read('DATABASE_URL', variables.DATABASE_URL),
    dataDir: read('PETSTORE_DATA_DIR', variables.PETSTORE_DATA_DIR),
    logLevel: read('LOG_LEVEL', variables.LOG_LEVEL),
    trustProxy: read('TRUST_PROXY', variables.TRUST_PROXY),
    corsOrigins: read('CORS_ORIGINS', variables.CORS_ORIGINS),
    metricsPort: read('METRICS_PORT', variables.METRICS_PORT),
    metricsHost: read('METRICS_HOST', variables.METRICS_HOST),
    docs: read('DOCS', variables.DOCS),
    load: {
      requests: read('MAX_REQUESTS', variables.MAX_REQUESTS),
      eventLoopDelay: read('MAX_EVENT_LOOP_DELAY', variables.MAX_EVENT_LOOP_DELAY),
    },
    ban: {
      after: read('BAN_AFTER', variables.BAN_AFTER),
      duration: read('BAN_SECONDS', variables.BAN_SECONDS) * 1_000,
    },
  };
  if (problems.length > 0) throw new ConfigError(`Configuration: ${problems.join('; ')}`);
  return config;
}

/** The text of `.env.example`: every variable with its default. A test keeps the file in step; `vitest run -u` rewrites it. */
export function envExample(): string {
  const entries = Object.entries(variables).map(
    ([name, { description, default: value }]) => `# ${description}\n${name}=${value}\n`,
  );
  return ['# Configuration of the server: all variables, with their defaults.\n', ...entries].join('\n');
}

/** The same for the README, as a Markdown table. */
export function variablesTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { description, default: value }]) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535) throw new Error('must be a port, 0 to 65535');
  return Number(value);
}

function positive(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new Error('must be a whole number from 1 to 9999999');
  return Number(value);
}

function count(value: string): number {
  if (!/^(0|[1-9]\d{0,6})$/.test(value)) throw new Error('must be a whole number from 0 to 9999999');
  return Number(value);
}

function databaseUrl(value: string): string | undefined {
  if (value === '') return undefined;
  if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be a postgres:// URL');
  return value;
}

function oneOf(...choices: string[]): (value: string) => string {
  return (value) => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}`);
    return value;
  };
}

function trustProxy(value: string): Config['trustProxy'] {
  if (value === '') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value) === 0 ? false : Number(value);
  const networks = list(value);
  if (!networks.every(isNetwork)) throw new Error('must be a number of hops or a list of addresses and CIDRs');
  return networks;
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const width = { 4: 32, 6: 128 }[isIP(address)];
  return (
    width !== undefined && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= width))
  );
}

function origins(value: string): string[] {
  const all = list(value);
  if (!all.every((origin) => URL.parse(origin)?.origin === origin)) {
    throw new Error('must be a list of origins, as in https://app.example');
  }
  return all;
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** The root of the checkout that this file is part of; outside one, the working directory. */
function checkout(): string {
  const root = path.resolve(import.meta.dirname, '../../..');
  return existsSync(path.join(root, 'pnpm-workspace.yaml')) ? root : process.cwd();
}
