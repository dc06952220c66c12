import { accessSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The modes in which pg checks the certificate. It warns on stderr that it may not do so in the future. */
const VERIFYING = ['prefer', 'require', 'verify-ca'];

const EXPECTED = 'must be a postgres:// URL (`npm start` starts a Postgres and sets it)';

/**
 * The URL of a database.
 *
 * @throws Error with what is expected, without the URL, which has a password
 */
export function checkUrl(value: string): string {
  const scheme = /^postgres(?:ql)?:\/\//.exec(value)?.[0];
  if (!scheme) throw new Error(EXPECTED);
  const [authority = ''] = value.slice(scheme.length).split(/[/?#]/, 1);
  const rest = value.slice(scheme.length + authority.length);
  // An unescaped /, ? or # in the password ends the authority early, so that an @ comes later. If the password has an @ before that,
  // the part behind it would be taken as the host.
  if ((!authority.includes('@') && rest.includes('@')) || /^[^?]*@|^[^=]*@|#/.test(rest))
    throw new Error('must be escaped: its password has special characters, as in %2F for / and %23 for #');
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(','))
    throw new Error('must be a URL with one host: name several by one DNS name or a proxy');
  const url = URL.parse(value);
  if (!url) throw new Error(EXPECTED);
  // pg takes the last one of several modes.
  const modes = url.searchParams.getAll('sslmode');
  if (modes.length > 1 || modes.some((mode) => !SSL_MODES.includes(mode)))
    throw new Error(`must be a URL with one of these as sslmode: ${SSL_MODES.join(', ')}`);
  if (url.searchParams.has('target_session_attrs'))
    throw new Error('must be a URL without target_session_attrs, which is not supported');
  for (const name of Object.values(FILES)) {
    try {
      accessSync(url.searchParams.get(name) ?? '.');
    } catch (error) {
      throw new Error(`must be a URL whose ${name} can be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  return value;
}

/** Files of a URL, by the variables of Postgres that pg does not read. */
const FILES = { PGSSLROOTCERT: 'sslrootcert', PGSSLCERT: 'sslcert', PGSSLKEY: 'sslkey' };

/**
 * The URL that stands for PGHOST and its like. pg reads the others.
 *
 * @throws Error without PGHOST, and for variables that cannot be used
 */
export function urlOfVariables(environment: NodeJS.ProcessEnv): string {
  if (!environment.PGHOST) throw new Error(EXPECTED);
  const search = new URLSearchParams();
  for (const [variable, name] of Object.entries({ PGSSLMODE: 'sslmode', ...FILES }))
    if (environment[variable]) search.set(name, environment[variable]);
  return checkUrl(search.size > 0 ? `postgres:///?${search}` : 'postgres://');
}

/**
 * A URL of a file with the URL of a database.
 *
 * @throws Error when it cannot be read, or for its content
 */
export function urlOfFile(file: string): string {
  try {
    checkUrl(readFileSync(file, 'utf8').trim());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code ? `cannot be read: ${code}` : `has a URL that ${message}`);
  }
  return pathToFileURL(path.resolve(file)).href;
}

/**
 * The connection string for the next connection.
 *
 * @param url - of a database, or of a file with one
 * @throws Error while the file has no such URL: with half of one, pg would connect to another database
 */
export function connectionString(url: string): string {
  const text = url.startsWith('file:') ? checkUrl(readFileSync(fileURLToPath(url), 'utf8').trim()) : url;
  const parsed = URL.parse(text);
  if (!parsed) return text;
  if (!VERIFYING.includes(parsed.searchParams.get('sslmode') ?? '')) return text;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}
