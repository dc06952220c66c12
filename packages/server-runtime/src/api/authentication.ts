import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import type { ApiKey, ApiKeys } from '../keys/keys.ts';
import type { Limiter } from '../limits/limiter.ts';

/** `Bearer <token>` (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/**
 * Finds the key that a request carries, or else sets the failure: 401 with `WWW-Authenticate`.
 *
 * @param done - called synchronously unless a statement is needed; with the error if that fails
 */
export function authenticate(
  { headers, exchange }: IncomingMessage,
  { apiKeys, limiter, realm }: { apiKeys: ApiKeys; limiter: Limiter; realm: string },
  done: (error?: Error) => void,
): void {
  const credential = headers.authorization ?? '';
  const token = BEARER.exec(credential)?.[1];
  const found = token === undefined ? undefined : apiKeys.find(token);
  const settle = (apiKey: ApiKey | undefined) => {
    if (apiKey && limiter.clock.now() < apiKey.expiresAt) exchange.apiKey = apiKey;
    else
      exchange.fail(unauthorized(realm, apiKey ? 'expired' : /^bearer +\S/i.test(credential) ? 'invalid' : 'missing'));
    done();
  };
  if (found instanceof Promise) found.then(settle).catch(done);
  else settle(found);
}

const MESSAGES = {
  missing: 'Send your API key as Authorization: Bearer <API_KEY>',
  invalid: 'The API key is not valid',
  expired: 'The API key has expired',
};

function unauthorized(realm: string, reason: keyof typeof MESSAGES): ApiError {
  const error = reason === 'missing' ? '' : ', error="invalid_token"';
  const headers = { 'WWW-Authenticate': `Bearer realm="${realm}"${error}` };
  return new ApiError(401, MESSAGES[reason], { code: `api_key_${reason}`, headers });
}
