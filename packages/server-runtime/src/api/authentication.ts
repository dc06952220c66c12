import type { DatabaseClock } from '@petstore-platform/quota';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys, Identity } from '../api-keys/keys.ts';
import type { Tokens } from '../api-keys/tokens.ts';
import type { Caller, Credential, Security } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { isEndless } from '../http/requests.ts';
import { clientAddress } from '../proxies.ts';
import { credentialReader, type Read } from './credentials.ts';

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

/** The result of checking a credential. Undefined: it was not sent. `missing`: something else stands in its place. */
type Outcome = Identity | 'missing' | 'invalid' | 'expired' | ApiError | undefined;

const isIdentity = (outcome: Outcome): outcome is Identity =>
  typeof outcome === 'object' && !(outcome instanceof ApiError);

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
  const isSingle =
    alternatives.length === 1 && alternatives[0]?.length === 1 && alternatives[0][0]?.scopes.length === 0;
  const isOptional = alternatives.some(({ length }) => length === 0);
  const readers = credentials.map((each) => credentialReader(each, credentials, options));
  const finders = credentials.map((each) => finderOf(each, options));

  const decide = (outcomes: Outcome[]): { identity?: Identity; failure?: ApiError } => {
    let lacking: { identity: Identity; failure: ApiError } | undefined;
    for (const alternative of alternatives) {
      const found = alternative.map(({ index }) => outcomes[index]).filter(isIdentity);
      if (found.length < alternative.length || found.length === 0) continue;
      const identity = combined(found);
      const missing = alternative.flatMap(({ scopes }, at) =>
        scopes.length === 0 ? [] : scopes.filter((scope) => !found[at]?.caller.scopes.includes(scope)),
      );
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
    const index = wrong >= 0 ? wrong : outcomes.findIndex((one) => one === undefined || one === 'missing');
    return unauthorized(realm, credentials[index] as Credential, wrong < 0 ? 'missing' : (outcomes[index] as Wrong));
  };

  return (request, done) => {
    const { state } = request.raw;
    const settle = (outcomes: Outcome[]) => {
      const [only] = outcomes;
      // Most requests have the only credential that there is.
      const { identity, failure } =
        isSingle && isIdentity(only) ? { identity: only, failure: undefined } : decide(outcomes);
      state.identity = identity;
      state.fail(failure);
      done();
    };
    const sent = readers.map((read) => read(request));
    const find = () => finders.map((find, index) => find(sent[index]));
    // A response without an end outlives credentials.
    if (isEndless(state)) state.again = async () => decide(await Promise.all(find())).identity;
    const outcomes = find();
    if (outcomes.some((one) => one instanceof Promise)) Promise.all(outcomes).then(settle).catch(done);
    else settle(outcomes as Outcome[]);
  };
}

/** A credential that cannot be verified counts for the address, and another one may do. */
const refused = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  throw error;
};

/** Finds the identity that a credential proves. */
function finderOf({ kind }: Credential, { apiKeys, tokens, clock }: CallerOptions) {
  const settle = (found: Identity | 'expired' | undefined, id?: string): Outcome => {
    if (found === undefined || found === 'expired') return found ?? 'invalid';
    if (id !== undefined && id !== `${found.id}`) return 'invalid';
    return clock.now() < found.expiresAt ? found : 'expired';
  };
  return (credential: ReturnType<Read>): Outcome | Promise<Outcome> => {
    if (credential === undefined || credential === 'missing' || credential instanceof ApiError) return credential;
    const { text, id } = credential;
    const found = kind === 'token' ? tokens?.find(text) : apiKeys.find(text);
    return found instanceof Promise ? found.then((one) => settle(one, id), refused) : settle(found, id);
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

/** The caller of a request without an identity. */
export function anonymous(request: FastifyRequest, plan: string): Caller<'anonymous'> {
  const id = `address:${clientAddress(request)}`;
  return { kind: 'anonymous', id, owner: undefined, scopes: [], plan, claims: undefined };
}

const OTHER_OWNER = new ApiError(403, 'The credentials belong to different owners');

type Wrong = 'missing' | 'invalid' | 'expired';

const PLACES: Record<Credential['in'], (name: string) => string> = {
  bearer: (name) => `as Authorization: Bearer <${name}>`,
  basic: () => 'as the password of Authorization: Basic',
  header: (name) => `in the header ${name}`,
  query: (name) => `in the query parameter ${name}`,
  cookie: (name) => `in the cookie ${name}`,
};

function unauthorized(realm: string, { kind, in: place, name }: Credential, reason: Wrong): ApiError {
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
