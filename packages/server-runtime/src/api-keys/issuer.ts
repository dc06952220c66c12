import { createPublicKey } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  type LocalJWKSet,
  SignJWT,
} from 'jose';
import { isPrivate, isSecure, textOfKeys } from '../config.ts';
import { unavailable } from '../errors.ts';

interface IssuerOptions {
  issuer: string;
  /** A URL, a file or the keys themselves. Empty: it is discovered. */
  jwks: string;
  /** Monotonic clock in milliseconds. */
  now: () => number;
  /** Called when the keys have changed. */
  onChange: () => void;
  log: Log;
}

export type Log = Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;

/** Milliseconds between two look-ups of the keys, between two for an unknown key, and for a look-up at most. */
const REFRESH_INTERVAL = 300_000;
const REFRESH_COOLDOWN = 30_000;
const LOOKUP_TIMEOUT = 10_000;
/** The most requests that wait for a look-up. An issuer that does not answer must not hold those of other callers. */
const MAX_WAITING = 20;
/** Bits of an RSA key at least (RFC 7518, section 3.3). */
const MIN_RSA_BITS = 2_048;

export type IssuerKeys = ReturnType<typeof issuerKeys>;

/**
 * The public keys of the issuer. They are looked up beside the requests, and stay while it is away. Only a token with an unknown key waits
 * for a look-up: one that all share, at most every 30 seconds.
 */
export function issuerKeys(options: IssuerOptions) {
  const { now, onChange, log } = options;
  let keySet: LocalJWKSet | undefined;
  let text = '';
  let signing: JWK | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let pending: Promise<void> | undefined;
  let waiting = 0;

  async function load(): Promise<void> {
    askedAt = now();
    try {
      const fetched = await textFrom(options);
      if (fetched !== text) {
        const { keys }: JSONWebKeySet = JSON.parse(fetched);
        const usable = keys.flatMap((key) => usableOf(key, log));
        if (usable.length === 0) throw new Error('the issuer has no public key that verifies');
        keySet = createLocalJWKSet({ keys: usable });
        signing = keys.find(isPrivate);
        text = fetched;
        onChange();
        log.info('the issuer of tokens has given its keys');
      }
      isAway = false;
    } catch (err) {
      isAway = true;
      log.error({ err }, 'the issuer of tokens does not give its keys; the last ones stay');
    }
  }

  const refresh = (): Promise<void> => {
    pending ??= load().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const timer = setInterval(() => {
    if (isAway || now() - askedAt >= REFRESH_INTERVAL) void refresh();
  }, REFRESH_COOLDOWN).unref();
  void refresh();

  /** @throws ApiError 503 while the issuer is away, or too many wait for it, and it has not said whether the key is its own */
  const find: JWTVerifyGetKey = async (header, token) => {
    const look = async () => {
      if (!keySet) throw new errors.JWKSNoMatchingKey();
      return keySet(header, token);
    };
    const fail = (error: unknown) => {
      throw error instanceof errors.JWKSNoMatchingKey && isAway ? AWAY : error;
    };
    return look().catch(async (error) => {
      const mayAsk = pending !== undefined || now() - askedAt >= REFRESH_COOLDOWN;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk) return fail(error);
      if (waiting >= MAX_WAITING) throw AWAY;
      waiting += 1;
      await refresh().finally(() => {
        waiting -= 1;
      });
      return look().catch(fail);
    });
  };

  return {
    find,
    /** Signs a token with the first private key. Those behind it only verify: a key that is put behind the others, and later first, ends no session. */
    async sign(claims: JWTPayload): Promise<string> {
      await pending;
      if (!signing) throw new Error('OIDC_JWKS has no private key');
      return signed(signing, claims);
    },
    /** The public parts of the keys. */
    async published(): Promise<JSONWebKeySet> {
      await pending;
      return keySet?.jwks() ?? { keys: [] };
    },
    close: () => clearInterval(timer),
  };
}

/** The key, if it verifies signatures. One that does not fails no token of another one. */
function usableOf(key: JWK, log: Log): JWK[] {
  try {
    const { kid, alg, use } = key;
    if (use === 'enc') return [];
    // The file of a development issuer has private keys. A symmetric one among the public ones is a mistake: everybody can read it.
    const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
    const { modulusLength = MIN_RSA_BITS } = publicKey.asymmetricKeyDetails ?? {};
    if (modulusLength < MIN_RSA_BITS) throw new Error(`it has ${modulusLength} bits`);
    return [{ ...(publicKey.export({ format: 'jwk' }) as JWK), ...JSON.parse(JSON.stringify({ kid, alg, use })) }];
  } catch (error) {
    const reason = (error as Error).message;
    log.warn({ kid: Object(key).kid, reason }, 'a key of the issuer of tokens is left out');
    return [];
  }
}

async function textFrom({ issuer, jwks }: IssuerOptions): Promise<string> {
  if (jwks !== '' && !isUrl(jwks)) return textOfKeys(jwks);
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT);
  if (jwks !== '') return fetchText(jwks, signal);
  const about = await fetchText(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
  const discovered = JSON.parse(about);
  // Otherwise, any issuer of the same host could name its keys (OpenID Connect Discovery, section 4.3).
  if (discovered.issuer !== issuer) throw new Error(`the issuer calls itself ${discovered.issuer}`);
  if (!isSecure(`${discovered.jwks_uri}`)) throw new Error('the address of its keys is not https');
  return fetchText(discovered.jwks_uri, signal);
}

const AWAY = unavailable('The issuer of the token cannot be asked for its keys', { seconds: 5 });

/** An access token (RFC 9068). */
export const signed = (key: JWK, claims: JWTPayload, header: object = {}): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg ?? 'ES256', typ: 'at+jwt', kid: key.kid ?? '', ...header })
    .sign(key);

const isUrl = (text: string) => /^https?:/i.test(text);

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.text();
}
