import { createPublicKey } from 'node:crypto';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import { isPrivate, isSecure, textOfKeys } from '../config.ts';
import { ApiError } from '../errors.ts';

export interface IssuerOptions {
  issuer: string;
  /** A URL, a file or the keys themselves. Empty: it is discovered. */
  jwks: string;
  /** Monotonic clock in milliseconds. */
  now: () => number;
  /** Called when the keys have changed, and with the error when the issuer is lost. */
  onChange: (error?: unknown) => void;
  /** Called with the name of each key that cannot verify, when the keys have changed. */
  onBadKey: (kid: unknown, reason: string) => void;
}

/** Milliseconds between two look-ups of the keys, between two for an unknown key, and for a look-up at most. */
const REFRESH_INTERVAL = 300_000;
const REFRESH_COOLDOWN = 30_000;
const LOOKUP_TIMEOUT = 10_000;
/** The most requests that wait for a look-up. An issuer that does not answer must not hold those of other callers. */
const MAX_WAITING = 20;
/** Bits of an RSA key at least (RFC 7518, section 3.3). */
const MIN_RSA_BITS = 2_048;

/**
 * The public keys of the issuer. They are looked up beside the requests, and stay while it is away. Only a token with an unknown key waits
 * for a look-up: one that all share, at most every 30 seconds.
 */
export class IssuerKeys {
  readonly #options: IssuerOptions;
  #keys: JWTVerifyGetKey | undefined;
  #text = '';
  #signing: JWK | undefined;
  #public: JWK[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAway = false;
  #pending: Promise<void> | undefined;
  #waiting = 0;
  readonly #timer = setInterval(() => {
    if (this.#isAway || this.#options.now() - this.#askedAt >= REFRESH_INTERVAL) void this.refresh();
  }, REFRESH_COOLDOWN).unref();

  constructor(options: IssuerOptions) {
    this.#options = options;
    void this.refresh();
  }

  /** @throws ApiError 503 while the issuer is away, or too many wait for it, and it has not said whether the key is its own */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const find = async () => {
      if (!this.#keys) throw new errors.JWKSNoMatchingKey();
      return this.#keys(header, token);
    };
    const fail = (error: unknown) => {
      throw error instanceof errors.JWKSNoMatchingKey && this.#isAway ? AWAY : error;
    };
    return find().catch(async (error) => {
      const mayAsk = this.#pending !== undefined || this.#options.now() - this.#askedAt >= REFRESH_COOLDOWN;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk) return fail(error);
      if (this.#waiting >= MAX_WAITING) throw AWAY;
      this.#waiting += 1;
      await this.refresh().finally(() => {
        this.#waiting -= 1;
      });
      return find().catch(fail);
    });
  };

  /** Signs a token with the first private key. Those behind it only verify: a key that is put behind the others, and later first, ends no session. */
  async sign(claims: JWTPayload): Promise<string> {
    await this.#pending;
    if (!this.#signing) throw new Error('OIDC_JWKS has no private key');
    return signed(this.#signing, claims);
  }

  /** The public parts of the keys. */
  async published(): Promise<JSONWebKeySet> {
    await this.#pending;
    return { keys: this.#public };
  }

  refresh(): Promise<void> {
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<void> {
    this.#askedAt = this.#options.now();
    try {
      const text = await this.#read();
      if (text !== this.#text) {
        const { keys }: JSONWebKeySet = JSON.parse(text);
        const usable = keys.flatMap((key) => this.#usable(key));
        if (usable.length === 0) throw new Error('the issuer has no public key that verifies');
        this.#keys = createLocalJWKSet({ keys: usable });
        this.#public = usable;
        this.#signing = keys.find(isPrivate);
        this.#text = text;
        this.#options.onChange();
      }
      this.#isAway = false;
    } catch (error) {
      this.#isAway = true;
      this.#options.onChange(error);
    }
  }

  /** The key, if it verifies signatures. One that does not fails no token of another one. */
  #usable(key: JWK): JWK[] {
    try {
      const { kid, alg, use } = key;
      if (use === 'enc') return [];
      // The file of a development issuer has private keys. A symmetric one among the public ones is a mistake: everybody can read it.
      const own = createPublicKey({ key: key as never, format: 'jwk' });
      const { modulusLength = MIN_RSA_BITS } = own.asymmetricKeyDetails ?? {};
      if (modulusLength < MIN_RSA_BITS) throw new Error(`it has ${modulusLength} bits`);
      return [{ ...(own.export({ format: 'jwk' }) as JWK), ...JSON.parse(JSON.stringify({ kid, alg, use })) }];
    } catch (error) {
      this.#options.onBadKey(Object(key).kid, (error as Error).message);
      return [];
    }
  }

  async #read(): Promise<string> {
    const { issuer, jwks } = this.#options;
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

  close(): void {
    clearInterval(this.#timer);
  }
}

const AWAY = new ApiError(503, 'The issuer of the token cannot be asked for its keys', {
  headers: { 'Retry-After': '5' },
});

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
