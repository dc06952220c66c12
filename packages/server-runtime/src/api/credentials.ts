import type { FastifyRequest } from 'fastify';
import { type Credential, isAuthorization } from '../caller.ts';
import { ApiError } from '../errors.ts';

/** The text of a credential. `id`: the key has to have it. */
interface Sent {
  text: string;
  id?: string;
}

/** Reads a credential from its place. Undefined: nothing is there. `missing`: something else is. */
export type Read = (request: FastifyRequest) => Sent | 'missing' | ApiError | undefined;

/** @param others - all credentials of the operation */
export function credentialReader(
  credential: Credential,
  others: readonly Credential[],
  { origins }: { origins: readonly string[] },
): Read {
  const { kind, in: place, name = '' } = credential;
  if (place === 'query')
    return (request) => {
      const query = request.query as Record<string, unknown>;
      const value = query[name];
      // From here on, nothing sees it: no handler, no link and no fingerprint.
      delete query[name];
      return value === undefined ? undefined : { text: typeof value === 'string' ? value : '' };
    };
  if (place === 'cookie') return cookieReader(name, origins);
  if (place === 'basic') return ({ headers }) => basic(headers.authorization);
  if (!isAuthorization(credential)) {
    const header = name.toLowerCase();
    return ({ headers }) => {
      const text = headers[header];
      return text === undefined ? undefined : { text: String(text) };
    };
  }
  const isPlain = place === 'header';
  const isBoth = others.some((one) => one.kind !== kind && one.in !== 'basic' && isAuthorization(one));
  return ({ headers: { authorization } }) => {
    if (authorization === undefined) return undefined;
    const text = BEARER.exec(authorization)?.[1] ?? (isPlain ? authorization.replace(SCHEME, '') : undefined);
    if (text === undefined && !/^bearer +\S/i.test(authorization)) return 'missing';
    // A token has dots, and a key has none.
    if (isBoth && text !== undefined && text.includes('.') !== (kind === 'token')) return 'missing';
    return { text: text ?? '' };
  };
}

/** `Bearer <token>` (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;
/** The word before a credential for which a contract has only the header, as in `Token <key>`. */
const SCHEME = /^[\w-]+ +(?=\S+$)/;
const BASIC = /^basic +([\w+/-]+=*)$/i;

/** The key is the password, after its id or nothing; or the user, before nothing (RFC 7617). */
function basic(authorization: string | undefined): ReturnType<Read> {
  if (authorization === undefined) return undefined;
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return /^basic +\S/i.test(authorization) ? { text: '' } : 'missing';
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return { text: '' };
  const [user, password] = [text.slice(0, colon), text.slice(colon + 1)];
  return password === '' || user === '' ? { text: password || user } : { text: password, id: user };
}

/**
 * Browsers send a cookie with the requests of any page, so that only pages of this site, and of origins that may call, change something by
 * it.
 */
function cookieReader(name: string, origins: readonly string[]): Read {
  return ({ method, headers }) => {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    const values = pairs.filter(([each]) => each === name).map(([, ...value]) => value.join('='));
    if (values.length === 0) return undefined;
    if (!SAFE.includes(method) && isCrossSite(headers, origins)) return CROSS_SITE;
    // A page of a subdomain can add a second cookie of the name, which browsers may send first.
    return { text: values.length === 1 ? `${values[0]}` : '' };
  };
}

const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const CROSS_SITE = new ApiError(403, 'A cookie is accepted from pages of this site only');

/** The media types of forms: of all that a page of another site sends without asking, only these come without an `Origin` in old browsers. */
const FORMS = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/** Whether a browser sends a request for a page of another site: by Fetch Metadata or, in old browsers, by the origin. */
function isCrossSite(headers: FastifyRequest['headers'], origins: readonly string[]): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origins.includes(origin)) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin !== undefined) return URL.parse(origin)?.host !== host;
  return FORMS.test(headers['content-type']?.trim() ?? '');
}
