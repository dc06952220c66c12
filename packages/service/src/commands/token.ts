import { isPrivate, signed, textOfKeys } from '@petstore-platform/server-runtime/operate';

export interface DevelopmentToken {
  subject: string;
  scopes: readonly string[];
  /** Further claims. */
  claim: Record<string, string>;
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
  { subject, scopes, claim, valid }: DevelopmentToken,
): Promise<string> {
  const isFile = OIDC_ISSUER && OIDC_AUDIENCE && OIDC_JWKS && !/^\w+:\/\//.test(OIDC_JWKS);
  const { keys }: { keys: Parameters<typeof signed>[0][] } = isFile ? JSON.parse(textOfKeys(OIDC_JWKS)) : { keys: [] };
  const key = keys.find(isPrivate);
  if (!key || !isFile) throw new Error('Only `npm start` has an issuer whose tokens are issued here: start it first');
  const scope = scopes.length > 0 && { scope: scopes.join(' ') };
  const iat = Math.floor(Date.now() / 1_000);
  return signed(key, {
    ...claim,
    ...scope,
    iss: OIDC_ISSUER,
    aud: OIDC_AUDIENCE,
    sub: subject,
    iat,
    exp: iat + Math.ceil(valid / 1_000),
  });
}
