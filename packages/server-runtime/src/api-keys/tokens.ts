import { hash } from 'node:crypto';
import type { DatabaseClock } from '@petstore-platform/quota';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller, deeplyFrozen, type Issue } from '../caller.ts';
import type { TokenConfig } from '../config.ts';
import type { PlanLimits } from '../contract.ts';
import { type IssuerKeys, issuerKeys, type Log } from './issuer.ts';
import { type Identity, type KeysOf, subjectOf } from './keys.ts';

/** How the claims of a token become a caller. */
export interface TokenOptions<Plan extends string = string> {
  /** The plan of a token that claims none. It must have numbers. Default: that of addresses. */
  plan?: Plan;
  /** The claim that names a plan with numbers. Default: none. */
  planClaim?: string;
  /** The claim that names the owner, as `org_id`. Default: `sub`. */
  ownerClaim?: string;
  /** The service issues its tokens itself, by `issue` of a handler, each for these seconds. Default: another issuer does. */
  issue?: { seconds: number };
}

/** Seconds by which the clock of the issuer may differ. */
const TOLERANCE = 30;
const MAX_TOKEN_LENGTH = 8_192;
const CACHE_SIZE = 10_000;

export interface TokensOf extends Pick<KeysOf, 'contract' | 'limitsBy'> {
  tokens: Required<Pick<TokenOptions, 'plan'>> & TokenOptions;
}

export type Tokens = ReturnType<typeof tokensOf>;

/** Verifies access tokens (RFC 9068, RFC 8725). Each is verified once, and then found by its hash. */
export function tokensOf(
  { contract, tokens, limitsBy }: TokensOf,
  expected: { issuer: string; audience: string },
  keys: Pick<IssuerKeys, 'find' | 'sign'>,
  clock: DatabaseClock,
) {
  const { ownerClaim = 'sub' } = tokens;
  const cache = () => new LRUCache<string, Identity>({ max: CACHE_SIZE });
  let identities = cache();

  function identityOf(claims: JWTPayload, subject: string): Identity {
    const { scope, scp, exp = 0 } = claims;
    const scopes = [scope ?? scp ?? []].flat().flatMap((each) => {
      if (typeof each !== 'string') throw new errors.JWTInvalid('A scope is a text');
      return each.split(' ').filter(Boolean);
    });
    const claimed = tokens.planClaim === undefined ? undefined : claims[tokens.planClaim];
    const isPlan = typeof claimed === 'string' && Object.hasOwn(contract.plans, claimed);
    const plan = isPlan && hasNumbers(contract.plans[claimed]) ? claimed : tokens.plan;
    const { perMinute, perDay } = contract.plans[plan] as PlanLimits;
    const claim = claims[ownerClaim];
    // A claim of another type, such as a list of names, does not name one owner.
    const owner = isName(claim) ? claim : undefined;
    const caller: Caller<'token'> = { kind: 'token', id: `token:${subject}`, owner, scopes, plan, claims };
    const counted = subjectOf({ limitsBy }, caller.id, owner);
    const quota = { subject: counted, perMinute: perMinute ?? 0, perDay: perDay ?? 0 };
    // All requests with the token have this one caller.
    return { caller: deeplyFrozen(caller), quota, expiresAt: (exp + TOLERANCE) * 1_000 };
  }

  async function verify(text: string, id: string): Promise<Identity | 'expired' | undefined> {
    // A verification that began before the keys changed is not remembered.
    const verified = identities;
    try {
      const { payload } = await jwtVerify(text, keys.find, {
        ...expected,
        // No `algorithms` option: the keys are public keys, so HS256 and `none` cannot verify.
        clockTolerance: TOLERANCE,
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp'],
      });
      if (!isName(payload.sub)) return undefined;
      const identity = identityOf(payload, payload.sub);
      verified.set(id, identity);
      return identity;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired';
      if (error instanceof errors.JOSEError || error instanceof RangeError) return undefined;
      // Any other error is the service's own.
      throw error;
    }
  }

  const issue: Issue = ({ owner, subject = owner, scopes = [], claims }) => {
    if (!tokens.issue) throw new Error('Tokens are issued by a service with `tokens: { issue }`');
    if (!isName(owner) || !isName(subject)) throw new Error('An owner and a subject have 1 to 255 characters');
    const { issuer: iss, audience: aud } = expected;
    const iat = Math.floor(clock.now() / 1_000);
    const granted = { iat, exp: iat + tokens.issue.seconds, scope: scopes.join(' ') };
    return keys.sign({ ...claims, iss, aud, ...granted, sub: subject, [ownerClaim]: owner });
  };

  return {
    issue,
    /**
     * Finds who a token stands for: synchronously if it was verified before. Undefined: it is not valid.
     *
     * @throws ApiError 503 for one that cannot be verified because the issuer is away
     */
    find(text: string): Identity | 'expired' | undefined | Promise<Identity | 'expired' | undefined> {
      if (text.length > MAX_TOKEN_LENGTH) return undefined;
      const id = hash('sha256', text, 'base64');
      return identities.get(id) ?? verify(text, id);
    },
    /** Forgets the verified tokens: a key that the issuer has withdrawn may have been stolen. */
    forget(): void {
      identities = cache();
    },
  };
}

/**
 * Whether a claim can be counted by: a text as long as a subject may be (OpenID Connect Core, section 2) that Postgres stores. One that it
 * refuses would fail the statement that counts for all callers.
 */
const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim !== '' && claim.length <= 255 && claim.isWellFormed() && !claim.includes('\0');

/** Whether a plan says how many requests it allows. */
export const hasNumbers = (plan: PlanLimits | undefined) => plan?.perMinute != null && plan.perDay != null;

/** The tokens of a service, whose keys are looked up from now on. */
export function openTokens(service: TokensOf, config: Partial<TokenConfig>, clock: DatabaseClock, log: Log) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_JWKS: jwks = '' } = config;
  if (!issuer || !audience) throw new Error('Tokens need OIDC_ISSUER and OIDC_AUDIENCE');
  const keys = issuerKeys({ issuer, jwks, now: clock.monotonic, onChange: () => tokens.forget(), log });
  const tokens = tokensOf(service, { issuer, audience }, keys, clock);
  return { tokens, keys };
}
