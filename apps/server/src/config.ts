import { isIP } from 'node:net';

/** A start that cannot succeed as it was configured. Its message is all that the operator needs to see. */
export class ConfigError extends Error {}

interface Variable<T> {
  name: string;
  /** As written in the environment. Empty: not set. */
  default: string;
  /** One line for `.env.example` and the README. */
  description: string;
  /** @throws Error with what is expected, as in "must be a port" */
  parse(value: string): T;
}

function variable<T>(name: string, fallback: string, description: string, parse: (value: string) => T): Variable<T> {
  return { name, default: fallback, description, parse };
}

/** Every environment variable, where it stands in the configuration. */
const definitions = {
  host: variable('HOST', '127.0.0.1', 'Address to listen on.', String),
  port: variable('PORT', '3000', 'Port to listen on; 0 takes a free one.', port),
  databaseUrl: variable(
    'DATABASE_URL',
    '',
    'Postgres, as in postgres://user:password@host:5432/petstore. Required; `npm start` sets it.',
    databaseUrl,
  ),
  logLevel: variable(
    'LOG_LEVEL',
    'info',
    'trace, debug, info, warn, error, fatal or silent.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    '',
    'Whose X-Forwarded-For and X-Request-Id to believe: a number of hops, or addresses and CIDRs, comma-separated.',
    trustProxy,
  ),
  corsOrigins: variable(
    'CORS_ORIGINS',
    '',
    'Origins that browsers may call from, comma-separated, as in https://app.example. Not set: none.',
    origins,
  ),
  /** Undefined: no metrics. */
  metricsPort: variable(
    'METRICS_PORT',
    '',
    'Port for Prometheus, which reads /metrics there; 0 takes a free one. Not set: no metrics.',
    (value) => (value === '' ? undefined : port(value)),
  ),
  metricsHost: variable('METRICS_HOST', '127.0.0.1', 'Address to listen on for Prometheus.', String),
  docs: variable(
    'DOCS',
    'on',
    'on or off: whether there is a page at /docs. The contract at /openapi.json is there in any case.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  load: {
    requests: variable(
      'MAX_REQUESTS',
      '1000',
      'Requests that the server works on at most: further ones are answered 503 at once; 0 for no limit.',
      integerFrom(0),
    ),
    /** Milliseconds. */
    eventLoopDelay: variable(
      'MAX_EVENT_LOOP_DELAY',
      '250',
      'Delay of the event loop in milliseconds from which requests are answered 503 at once; 0 for no limit.',
      integerFrom(0),
    ),
  },
  ban: {
    after: variable(
      'BAN_AFTER',
      '60',
      'Requests refused within one minute, from a second after the first, that have a key or an address banned.',
      integerFrom(1),
    ),
    /** Milliseconds. */
    duration: variable(
      'BAN_SECONDS',
      '600',
      'How long a ban lasts, in seconds.',
      (value) => integerFrom(1)(value) * 1_000,
    ),
  },
};

type Values<D> = { [K in keyof D]: D[K] extends Variable<infer T> ? T : Values<D[K]> };

export type Config = Values<typeof definitions>;

type Definitions = { [key: string]: Variable<unknown> | Definitions };

const isVariable = (definition: Variable<unknown> | Definitions): definition is Variable<unknown> =>
  typeof definition.parse === 'function';

/** By name. */
export const variables: Record<string, Variable<unknown>> = Object.fromEntries(
  Object.values<Definitions[string]>(definitions)
    .flatMap((entry) => (isVariable(entry) ? entry : (Object.values(entry) as Variable<unknown>[])))
    .map((entry) => [entry.name, entry]),
);

/**
 * The configuration that an environment describes.
 *
 * @throws ConfigError that names every bad variable; values are not repeated, they may be secret
 */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const read = (entry: Definitions[string]): unknown => {
    if (!isVariable(entry)) return Object.fromEntries(Object.entries(entry).map(([key, each]) => [key, read(each)]));
    try {
      return entry.parse(environment[entry.name]?.trim() || entry.default);
    } catch (error) {
      problems.push(`${entry.name} ${(error as Error).message}`);
      return undefined;
    }
  };
  const config = read(definitions) as Config;
  if (problems.length > 0) throw new ConfigError(`Configuration: ${problems.join('; ')}`);
  return config;
}

function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535) throw new Error('must be a port, 0 to 65535');
  return Number(value);
}

function integerFrom(least: number): (value: string) => number {
  return (value) => {
    if (/^(0|[1-9]\d{0,6})$/.test(value) && Number(value) >= least) return Number(value);
    throw new Error(`must be a whole number from ${least} to 9999999`);
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
