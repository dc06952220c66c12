import { readFileSync } from 'node:fs';
import { checkUrl, SSL_MODES, urlOfFile, urlOfVariables } from './database-url.ts';
import { type IsTrusted, trustNetworks } from './proxies.ts';

export interface Variable<T = unknown> {
  /** The default, as written in the environment; empty if there is none. */
  default: string;
  /** A description in one line. */
  description: string;
  /** @throws Error with what is expected, as in "must be a port" */
  parse(value: string): T;
}

export type Variables = Readonly<Record<string, Variable>>;

export type ValuesOf<Added extends Variables> = { [Name in keyof Added]: ReturnType<Added[Name]['parse']> };

/**
 * Declares an environment variable: see {@link Variable}.
 *
 * @example
 * variable('8', 'Notes of a reader at most.', integer(1, 100))
 */
export const variable = <T>(fallback: string, description: string, parse: (value: string) => T): Variable<T> => ({
  default: fallback,
  description,
  parse,
});

export const variables = {
  HOST: variable('127.0.0.1', 'Address to listen on.', String),
  PORT: variable('3000', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  DATABASE_URL: variable(
    '',
    'Postgres, as in postgres://user:password@host:5432/database. Required, or one of the next two; `npm start` sets it.',
    (value) => (value === '' ? '' : checkUrl(value)),
  ),
  DATABASE_URL_FILE: variable(
    '',
    'File that holds the URL. It is read for each connection: a new password needs no restart. PGHOST, PGUSER etc. work, too.',
    (value) => (value === '' ? '' : urlOfFile(value)),
  ),
  DATABASE_WAIT: variable('60', 'Seconds that a start waits for Postgres.', integer(0, 86_400)),
  DATABASE_POOL: variable(
    '16',
    'Maximum connections to Postgres for requests; half of them for changes. Four more count requests and run jobs.',
    integer(2, 1_000),
  ),
  // A server that ends waits ten seconds for its requests.
  STATEMENT_TIMEOUT: variable(
    '5',
    'Seconds after which a statement, or a wait for a lock or a connection, ends with 503.',
    integer(1, 10),
  ),
  DRAIN_SECONDS: variable(
    '0',
    'Seconds that a server still answers after SIGTERM, so that load balancers notice the 503 of /readyz.',
    integer(0, 3_600),
  ),
  LOG_LEVEL: variable(
    'info',
    'trace, debug, info, warn, error, fatal or silent.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  LOG_ADDRESS: variable(
    'off',
    "on or off: log each client's address, which is personal data in many countries.",
    oneOf('on', 'off'),
  ),
  TRUST_PROXY: variable(
    '',
    'Proxies whose X-Forwarded-For and X-Request-Id are trusted: a number of hops, or addresses and CIDRs, comma-separated.',
    trustProxy,
  ),
  CORS_ORIGINS: variable(
    '',
    'Origins that browsers may call from, comma-separated, as in https://app.example. Not set: none.',
    checked(
      'a list of origins, as in https://app.example',
      (value) => list(value).every((origin) => URL.parse(origin)?.origin === origin),
      list,
    ),
  ),
  METRICS_PORT: variable(
    '',
    'Port for Prometheus, which reads /metrics there; 0 takes a free one. Not set: no metrics.',
    (value) => (value === '' ? undefined : integer(0, 65_535)(value)),
  ),
  METRICS_HOST: variable('127.0.0.1', 'Address to listen on for Prometheus.', String),
  PUBLIC_URL: variable(
    '',
    'URL of the server for clients, as in https://api.example, which /openapi.json names first. Not set: a path without a host.',
    checked(
      'the URL of a server, as in https://api.example',
      (value) => value === '' || isAddress(value),
      (value) => value.replace(/\/$/, ''),
    ),
  ),
  COMMIT: variable('', 'Commit of the build, for --version, metrics and the log. The image sets it.', String),
  DOCS: variable('on', 'on or off: serve the page at /docs. /openapi.json is always served.', oneOf('on', 'off')),
  MAX_REQUESTS: variable('1000', 'Maximum concurrent requests; further ones get 503 at once. 0: no limit.', integer(0)),
  // Each may hold an unfinished request of up to 64 KiB.
  MAX_CONNECTIONS: variable(
    '4000',
    'Maximum open connections; further ones are closed at once. 0: no limit.',
    integer(0),
  ),
  BAN_AFTER: variable(
    '60',
    'Refusals by a server within a minute after which a key is banned; those in the first second do not count.',
    integer(1),
  ),
  BAN_SECONDS: variable('600', 'Duration of a ban in seconds.', integer(1)),
};

export type Config = ValuesOf<typeof variables>;

/** The variables of a service whose contract has tokens of an issuer. */
export const tokenVariables = {
  OIDC_ISSUER: variable(
    '',
    'Issuer (`iss`) of access tokens, as in https://login.example. Required; `npm start` has one for development.',
    checked('the https URL of an issuer', isSecure, String),
  ),
  OIDC_AUDIENCE: variable(
    '',
    'Audience (`aud`) that an access token has to name: the identifier of this API at the issuer. Required.',
    checked('the audience of access tokens', (value) => value !== '', String),
  ),
  OIDC_JWKS: variable(
    '',
    "The issuer's public keys: an https URL or a file. Not set: where the issuer's /.well-known/openid-configuration says.",
    checked('an https URL or a file with keys', (value) => value === '' || isSecure(value) || hasKeys(value), String),
  ),
};

export type TokenConfig = ValuesOf<typeof tokenVariables>;

/** Whether nobody between can change what a URL leads to: https, or this machine. */
export function isSecure(text: string): boolean {
  const { protocol, hostname = '' } = URL.parse(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

/** The variables of a service that issues its own tokens. */
export const issuerVariables = (name: string): typeof tokenVariables => ({
  OIDC_ISSUER: { ...tokenVariables.OIDC_ISSUER, default: `http://localhost/${name}` },
  OIDC_AUDIENCE: { ...tokenVariables.OIDC_AUDIENCE, default: name },
  OIDC_JWKS: variable(
    '',
    'Private keys that sign tokens: a JWKS in a file or as text. The first one signs, all verify. Required; `npm start` makes one.',
    checked('a file or a text with private keys', (value) => hasKeys(value, isPrivate), String),
  ),
});

/** Keys as text, which is given, or in a file. */
export const textOfKeys = (jwks: string): string => (jwks.startsWith('{') ? jwks : readFileSync(jwks, 'utf8'));

export const isPrivate = (key: unknown): boolean => Object(key).d !== undefined;

function hasKeys(jwks: string, fits: (key: unknown) => boolean = () => true): boolean {
  try {
    const { keys } = JSON.parse(textOfKeys(jwks));
    return keys.some(fits);
  } catch {
    return false;
  }
}

/** Whether it is a URL of http, to which paths can be appended. */
function isAddress(text: string): boolean {
  const { protocol = '', origin, pathname } = URL.parse(text) ?? {};
  return /^https?:$/.test(protocol) && [`${origin}${pathname}`, origin].includes(text);
}

/**
 * Reads the configuration from an environment.
 *
 * @param added - further variables, of the service
 * @throws Error that names every bad variable, without values, which may be secret
 */
export function loadConfig(environment: NodeJS.ProcessEnv, added: Variables = {}): Config {
  const config: Record<string, unknown> = {};
  /** By the names of the variables. */
  const problems = new Map<string, string>();
  const tryTo = (name: string, read: () => unknown) => {
    try {
      config[name] = read();
    } catch (error) {
      problems.set(name, (error as Error).message);
    }
  };
  for (const [name, { default: fallback, parse }] of Object.entries<Variable>({ ...variables, ...added }))
    tryTo(name, () => parse(environment[name]?.trim() || fallback));
  // pg reads PGSSLMODE for a URL without sslmode, and would connect without TLS for an unknown one.
  if (environment.PGSSLMODE && !SSL_MODES.includes(environment.PGSSLMODE))
    problems.set('PGSSLMODE', `must be one of ${SSL_MODES.join(', ')}`);
  if (!['DATABASE_URL', 'DATABASE_URL_FILE', 'PGSSLMODE'].some((name) => problems.has(name)))
    tryTo('DATABASE_URL', () => config.DATABASE_URL || config.DATABASE_URL_FILE || urlOfVariables(environment));
  const named = [...problems].map(([name, problem]) => `${name} ${problem}`);
  if (named.length > 0) throw new Error(`Configuration: ${named.join('; ')}`);
  return config as Config;
}

/** The values of the variables, as written. URLs and the service's own variables may be secret, so they only show that they are set. */
export function shownConfig(environment: NodeJS.ProcessEnv, added: Variables): Record<string, string> {
  const isSecret = (name: string) => name.startsWith('DATABASE_URL') || !Object.hasOwn(variables, name);
  const shown = Object.entries<Variable>({ ...variables, ...added }).map(([name, { default: fallback }]) => {
    const value = environment[name]?.trim() ?? '';
    return [name, isSecret(name) && value ? '(set)' : value || fallback];
  });
  return Object.fromEntries(shown.filter(([, value]) => value !== ''));
}

/** Parses a variable or an option of the command line, which commander names in the message of an error with this code. */
export function checked<T>(expected: string, fits: (value: string) => boolean, read: (value: string) => T) {
  return (value: string): T => {
    if (fits(value)) return read(value);
    throw Object.assign(new Error(`must be ${expected}`), { code: 'commander.invalidArgument' });
  };
}

function oneOf(...choices: string[]): (value: string) => string {
  return checked(`one of ${choices.join(', ')}`, (value) => choices.includes(value), String);
}

export function integer(least: number, most = 9_999_999): (value: string) => number {
  const fits = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
  return checked(`a whole number from ${least} to ${most}`, fits, Number);
}

/** False if no proxy is trusted. */
function trustProxy(value: string): IsTrusted | false {
  if (/^\d{0,2}$/.test(value)) return Number(value) > 0 && ((_address, hop) => hop < Number(value));
  try {
    return trustNetworks(list(value));
  } catch {
    throw new Error('must be a number of hops or a list of addresses and CIDRs');
  }
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}
