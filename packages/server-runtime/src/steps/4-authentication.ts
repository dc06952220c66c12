import type { DatabaseClock } from '@petstore-platform/quota';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { ApiKeys, Identity } from '../api-keys/keys.ts';
import type { Tokens } from '../api-keys/tokens.ts';
import { BEARER, type Caller, type Credential, isAuthorization, type Security } from '../caller.ts';
import { type Contract, SAFE } from '../contract.ts';
import { ApiError } from '../errors.ts';
import { isEndless } from '../http/requests.ts';
import { clientAddress } from '../proxies.ts';

export interface CallerOptions {
  realm: string;
  apiKeys: Pick<ApiKeys, 'find'>;
  /** Undefined if no operation takes tokens. */
  tokens: Pick<Tokens, 'find'> | undefined;
  clock: DatabaseClock;
  /** The origins of other sites whose pages may change something by a cookie. */
  origins: readonly string[];
}

/**
 * Sets the identity of a request, or its failure.
 *
 * @param done - called synchronously unless a statement or the issuer is needed; with the error if that fails
 */
export type Authenticate = (request: FastifyRequest, done: (error?: Error) => void) => void;

interface AuthenticationOptions {
  operations: Contract['operations'];
  authenticator(security: Security): Authenticate;
}

/**
 * 4. Sets the identity of the request. A failure waits for step 5, too: 401, and 403 for a cookie of another site, count for the address;
 * other 403s for the caller.
 */
export const authentication = plugin(
  async (app: FastifyInstance, { operations, authenticator }: AuthenticationOptions) => {
    const authenticators = Object.fromEntries(
      Object.values(operations).map(({ id, security }) => [id, authenticator(security ?? BEARER)]),
    );
    app.addHook('onRequest', (request, _reply, done) => {
      const { failure, operation } = request.raw.state;
      if (failure || !operation) done();
      else authenticators[operation.id]?.(request, done);
    });
  },
  { name: 'authentication', dependencies: ['load'] },
);

/** The result of checking a credential. Undefined: it was not sent. `other`: something else stands in its place. */
type Outcome = Identity | 'other' | 'invalid' | 'expired' | ApiError | undefined;

/** Compiles the security of an operation. */
export function authenticator(security: Security, options: CallerOptions): Authenticate {
  const { realm } = options;
  const credentials: Credential[] = [];
  const indexOf = ({ scopes: _scopes, ...credential }: Credential) => {
    const text = JSON.stringify(credential);
    const index = credentials.findIndex((each) => JSON.stringify(each) === text);
    return index >= 0 ? index : credentials.push(credential) - 1;
  };
  const alternatives = security.map((all) => all.map((each) => ({ index: indexOf(each), scopes: each.scopes ?? [] })));
  if (credentials.length === 0) return (_request, done) => done();
  const isOptional = alternatives.some(({ length }) => length === 0);
  const readers = credentials.map((each) => credentialReader(each, credentials, options));
  const finders = credentials.map((each) => finderOf(each, options));

  const decide = (outcomes: Outcome[]): { identity?: Identity; failure?: ApiError } => {
    let lacking: { identity: Identity; failure: ApiError } | undefined;
    for (const alternative of alternatives) {
      const found: Identity[] = [];
      const missing: string[] = [];
      for (const { index, scopes } of alternative) {
        const outcome = outcomes[index];
        if (typeof outcome !== 'object' || outcome instanceof ApiError) continue;
        found.push(outcome);
        missing.push(...scopes.filter((scope) => !outcome.caller.scopes.includes(scope)));
      }
      if (found.length < alternative.length || found.length === 0) continue;
      const identity = combined(found);
      if (identity && missing.length === 0) return { identity };
      const failure = identity ? insufficient(realm, missing) : OTHER_OWNER;
      // The caller is known, and the request counts for it.
      lacking ??= { identity: found[0] as Identity, failure };
    }
    if (lacking) return lacking;
    // A wrong credential is never taken for none.
    if (isOptional && outcomes.every((one) => one === undefined)) return {};
    return { failure: failureOf(outcomes) };
  };
  const failureOf = (outcomes: Outcome[]): ApiError => {
    const refusal = outcomes.find((one) => one instanceof ApiError);
    if (refusal) return refusal;
    const wrong = outcomes.findIndex((one) => one === 'invalid' || one === 'expired');
    const index = wrong >= 0 ? wrong : outcomes.findIndex((one) => one === undefined || one === 'other');
    return unauthorized(realm, credentials[index] as Credential, wrong < 0 ? 'missing' : (outcomes[index] as Reason));
  };

  return (request, done) => {
    const { state } = request.raw;
    const settle = (outcomes: Outcome[]) => {
      const { identity, failure } = decide(outcomes);
      state.identity = identity;
      state.failure ??= failure;
      done();
    };
    const credentials = readers.map((read) => read(request));
    const find = () => finders.map((find, index) => find(credentials[index]));
    // A response without an end outlives credentials.
    if (isEndless(state)) state.authenticateAgain = async () => decide(await Promise.all(find())).identity;
    const outcomes = find();
    if (outcomes.some((one) => one instanceof Promise)) Promise.all(outcomes).then(settle).catch(done);
    else settle(outcomes as Outcome[]);
  };
}

/** A credential that cannot be verified counts for the address, and another one may do. */
const asRefusal = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  throw error;
};

function finderOf({ kind }: Credential, { apiKeys, tokens, clock }: CallerOptions) {
  const settle = (found: Identity | 'expired' | undefined, id?: string): Outcome => {
    if (found === undefined || found === 'expired') return found ?? 'invalid';
    if (id !== undefined && id !== `${found.id}`) return 'invalid';
    return clock.now() < found.expiresAt ? found : 'expired';
  };
  return (credential: ReturnType<Read>): Outcome | Promise<Outcome> => {
    if (credential === undefined || credential === 'other' || credential instanceof ApiError) return credential;
    const { text, id } = credential;
    const found = kind === 'token' ? tokens?.find(text) : apiKeys.find(text);
    return found instanceof Promise ? found.then((one) => settle(one, id), asRefusal) : settle(found, id);
  };
}

/**
 * The identity of several credentials: the person of the token, with the limits of the key. Undefined if they have different owners, so
 * that no key lends its rights to a stranger's token. A key without an owner goes with any.
 */
function combined(found: Identity[]): Identity | undefined {
  const [first] = found as [Identity];
  if (found.length === 1) return first;
  const { caller } = found.find((one) => one.caller.kind === 'token') ?? first;
  const owners = new Set(found.flatMap((one) => one.caller.owner ?? []));
  const [owner] = owners;
  // A token without an owner is not one of the key's owner.
  if (owners.size > 1 || (caller.kind === 'token' && caller.owner !== owner)) return undefined;
  const key = found.find((one) => one.caller.kind === 'key') ?? first;
  return { ...key, caller: { ...caller, owner } };
}

/** The caller of a request. @param plan - of one without an identity */
export function callerOf(request: FastifyRequest, plan: string): Caller {
  const { identity } = request.raw.state;
  if (identity) return identity.caller;
  const id = `address:${clientAddress(request)}`;
  return { kind: 'anonymous', id, owner: undefined, scopes: [], plan, claims: undefined };
}

const OTHER_OWNER = new ApiError(403, 'The credentials belong to different owners');

type Reason = 'missing' | 'invalid' | 'expired';

const PLACES: Record<Credential['in'], (name: string) => string> = {
  bearer: (name) => `as Authorization: Bearer <${name}>`,
  basic: () => 'as the password of Authorization: Basic',
  header: (name) => `in the header ${name}`,
  query: (name) => `in the query parameter ${name}`,
  cookie: (name) => `in the cookie ${name}`,
};

function unauthorized(realm: string, { kind, in: place, name }: Credential, reason: Reason): ApiError {
  const isToken = kind === 'token';
  const where = PLACES[place](name ?? (isToken ? 'TOKEN' : 'API_KEY'));
  const messages = {
    missing: `Send your ${isToken ? 'access token' : 'API key'} ${where}`,
    invalid: `The ${isToken ? 'access token' : 'API key'} is not valid`,
    expired: `The ${isToken ? 'access token' : 'API key'} has expired`,
  };
  const scheme = place === 'bearer' ? 'Bearer' : place === 'basic' ? 'Basic' : 'ApiKey';
  const error = reason === 'missing' || place !== 'bearer' ? '' : ', error="invalid_token"';
  const headers = { 'WWW-Authenticate': `${scheme} realm="${realm}"${error}` };
  return new ApiError(401, messages[reason], { code: `${isToken ? 'token' : 'api_key'}_${reason}`, headers });
}

/** RFC 6750, section 3.1. */
function insufficient(realm: string, scopes: string[]): ApiError {
  const list = scopes.filter((scope) => /^[!#-[\]-~]+$/.test(scope)).join(' ');
  const headers = { 'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${list}"` };
  return new ApiError(403, `The operation needs the scope ${scopes.join(' ')}`, {
    code: 'insufficient_scope',
    headers,
  });
}

/** The text of a credential. `id`: the key has to have it. */
interface Given {
  text: string;
  id?: string;
}

/** Reads a credential from its place. Undefined: nothing is there. `other`: something else is. */
type Read = (request: FastifyRequest) => Given | 'other' | ApiError | undefined;

/** @param others - all credentials of the operation */
function credentialReader(
  credential: Credential,
  others: readonly Credential[],
  { origins }: { origins: readonly string[] },
): Read {
  const { kind, in: place, name = '' } = credential;
  if (place === 'query') return ({ query }) => takeFromQuery(query as Record<string, unknown>, name);
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
    const text = BEARER_TOKEN.exec(authorization)?.[1] ?? (isPlain ? authorization.replace(SCHEME, '') : undefined);
    if (text === undefined && !/^bearer +\S/i.test(authorization)) return 'other';
    // A token has dots, and a key has none.
    if (isBoth && text !== undefined && text.includes('.') !== (kind === 'token')) return 'other';
    return { text: text ?? '' };
  };
}

/** Removes the parameter: no handler, no link and no fingerprint has it. */
function takeFromQuery(query: Record<string, unknown>, name: string): Given | undefined {
  const value = query[name];
  delete query[name];
  return value === undefined ? undefined : { text: typeof value === 'string' ? value : '' };
}

/** `Bearer <token>` (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER_TOKEN = /^bearer +([\w\-.~+/]+=*)$/i;
/** The word before a credential for which a contract has only the header, as in `Token <key>`. */
const SCHEME = /^[\w-]+ +(?=\S+$)/;
const BASIC = /^basic +([\w+/-]+=*)$/i;

/** The key is the password, after its id or nothing; or the user, before nothing (RFC 7617). */
function basic(authorization: string | undefined): ReturnType<Read> {
  if (authorization === undefined) return undefined;
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return /^basic +\S/i.test(authorization) ? { text: '' } : 'other';
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
