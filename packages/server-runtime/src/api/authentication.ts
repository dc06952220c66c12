import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import type { ApiKey, ApiKeys } from '../keys/keys.ts';

/** `Bearer <token>` (RFC 6750 section 2.1); the scheme in any case (RFC 9110 section 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/**
 * Finds the key that a request carries, or else sets the failure: 401 with `WWW-Authenticate`.
 *
 * @param done - called synchronously unless a statement is needed; with the error if that fails
 */
export function authenticate(
  { headers, exchange }: IncomingMessage,
  apiKeys: ApiKeys,
  realm: string,
  done: (error?: Error) => void,
): void {
  const credential = headers.authorization ?? '';
  const token = BEARER.exec(credential)?.[1];
  const found = token === undefined ? undefined : apiKeys.find(token);
  const settle = (apiKey: ApiKey | undefined) => {
    if (apiKey) exchange.apiKey = apiKey;
    else exchange.fail(unauthorized(realm, /^bearer +\S/i.test(credential)));
    done();
  };
  if (found instanceof Promise) found.then(settle).catch(done);
  else settle(found);
}

/** @param given - whether the request carries a key at all */
function unauthorized(realm: string, given: boolean): ApiError {
  const headers = { 'WWW-Authenticate': `Bearer realm="${realm}"${given ? ', error="invalid_token"' : ''}` };
  if (given) return new ApiError(401, 'The API key is not valid', { code: 'api_key_invalid', headers });
  const message = 'Send your API key as Authorization: Bearer <API_KEY>';
  return new ApiError(401, message, { code: 'api_key_missing', headers });
}
