import { readFileSync } from 'node:fs';
import { importJWK, type JSONWebKeySet, SignJWT } from 'jose';

export interface DevelopmentToken {
  subject: string;
  scopes: readonly string[];
  claims: Record<string, string>;
  /** Milliseconds. */
  valid: number;
}

/**
 * Signs an access token as the issuer of `npm start`, whose file `OIDC_JWKS` has the private key, too.
 *
 * @throws Error if no such issuer is configured
 */
export async function developmentToken(
  { OIDC_ISSUER, OIDC_AUDIENCE, OIDC_JWKS }: NodeJS.ProcessEnv,
  { subject, scopes, claims, valid }: DevelopmentToken,
): Promise<string> {
  const isFile = OIDC_ISSUER && OIDC_AUDIENCE && OIDC_JWKS && !/^\w+:\/\//.test(OIDC_JWKS);
  const { keys }: JSONWebKeySet = isFile ? JSON.parse(readFileSync(OIDC_JWKS, 'utf8')) : { keys: [] };
  const key = keys.find(({ d }) => d !== undefined);
  if (!key || !isFile) throw new Error('Only `npm start` has an issuer whose tokens are issued here: start it first');
  const { alg = 'ES256', kid = '' } = key;
  return new SignJWT({ ...claims, ...(scopes.length > 0 && { scope: scopes.join(' ') }) })
    .setProtectedHeader({ alg, typ: 'at+jwt', kid })
    .setIssuer(OIDC_ISSUER)
    .setAudience(OIDC_AUDIENCE)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + valid))
    .sign(await importJWK(key, alg));
}
