import type { IncomingMessage } from 'node:http';
import { ApiError } from '../http/errors.ts';
import type { ApiKey, ApiKeys } from '../keys/keys.ts';

/** `Bearer <token>` (RFC 6750 section 2.1); the scheme in any case (RFC 9110 section 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/**
 * Finds the key that a request carries. Synchronous unless a statement is needed.
 *
 * @param suspectOf - the client's address if it is refused, as for keys that were not valid
 * @returns the key, or the failure: 401 with `WWW-Authenticate`
 */
export function authenticate(
  request: IncomingMessage,
  apiKeys: ApiKeys,
  suspectOf: () => string | undefined,
): Authenticated | Promise<Authenticated> {
  const credential = request.headers.authorization ?? '';
  if (!/^bearer +\S/i.test(credential)) {
    return unauthorized('api_key_missing', 'Send your API key as Authorization: Bearer <API_KEY>');
  }
  const token = BEARER.exec(credential)?.[1];
  const found = token === undefined ? undefined : apiKeys.find(token, suspectOf);
  return found instanceof Promise ? found.then(orInvalid) : orInvalid(found);
}

export type Authenticated = ApiKey | ApiError;

function orInvalid(apiKey: ApiKey | undefined): Authenticated {
  return apiKey ?? unauthorized('api_key_invalid', 'The API key is not valid');
}

function unauthorized(code: 'api_key_missing' | 'api_key_invalid', message: string): ApiError {
  const error = code === 'api_key_invalid' ? ', error="invalid_token"' : '';
  return new ApiError(401, message, { code, headers: { 'WWW-Authenticate': `Bearer realm="petstore"${error}` } });
}
