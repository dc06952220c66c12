import { isIP } from 'node:net';
import { UsageError } from './usage.ts';

interface Variable<T> {
  /** As written in the environment. Empty: not set. */
  default: string;
  /** One line for `.env.example` and the README. */
  description: string;
  /** @throws Error with what is expected, as in "must be a port" */
  parse(value: string): T;
}

const variable = <T>(fallback: string, description: string, parse: (value: string) => T): Variable<T> => ({
  default: fallback,
  description,
  parse,
});

/** Every environment variable. The configuration has each by its name. */
export const variables = {
  HOST: variable('127.0.0.1', 'Address to listen on.', String),
  PORT: variable('3000', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  DATABASE_URL: variable(
    '',
    'Postgres, as in postgres://user:password@host:5432/petstore. Required; `npm start` sets it.',
    databaseUrl,
  ),
  LOG_LEVEL: variable(
    'info',
    'trace, debug, info, warn, error, fatal or silent.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  TRUST_PROXY: variable(
    '',
    'Whose X-Forwarded-For and X-Request-Id to believe: a number of hops, or addresses and CIDRs, comma-separated.',
    trustProxy,
  ),
  CORS_ORIGINS: variable(
    '',
    'Origins that browsers may call from, comma-separated, as in https://app.example. Not set: none.',
    origins,
  ),
  /** Undefined: no metrics. */
  METRICS_PORT: variable(
    '',
    'Port for Prometheus, which reads /metrics there; 0 takes a free one. Not set: no metrics.',
    (value) => (value === '' ? undefined : integer(0, 65_535)(value)),
  ),
  METRICS_HOST: variable('127.0.0.1', 'Address to listen on for Prometheus.', String),
  DOCS: variable(
    'on',
    'on or off: whether there is a page at /docs. The contract at /openapi.json is there in any case.',
    oneOf('on', 'off'),
  ),
  MAX_REQUESTS: variable(
    '1000',
    'Requests that the server works on at most: further ones are answered 503 at once; 0 for no limit.',
    integer(0),
  ),
  MAX_EVENT_LOOP_DELAY: variable(
    '250',
    'Delay of the event loop in milliseconds from which requests are answered 503 at once; 0 for no limit.',
    integer(0),
  ),
  BAN_AFTER: variable(
    '60',
    'Requests refused within one minute, from a second after the first, that have a key or an address banned.',
    integer(1),
  ),
  BAN_SECONDS: variable('600', 'How long a ban lasts, in seconds.', integer(1)),
};

export type Config = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]['parse']> };

/**
 * The configuration that an environment describes.
 *
 * @throws UsageError that names every bad variable; values are not repeated, they may be secret
 */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries<Variable<unknown>>(variables)) {
    try {
      config[name] = parse(environment[name]?.trim() || fallback);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new UsageError(`Configuration: ${problems.join('; ')}`);
  return config as Config;
}

function integer(least: number, most = 9_999_999): (value: string) => number {
  return (value) => {
    if (/^\d{1,7}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new Error(`must be a whole number from ${least} to ${most}`);
  };
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

function trustProxy(value: string): false | number | string[] {
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
