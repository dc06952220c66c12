import type { FastifyRequest } from 'fastify';
import type { ApiKey, ApiKeys } from '../keys/keys.ts';
import { ApiError } from './api-error.ts';
import { headerValues } from './header-values.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null before authentication and on paths outside the API. */
    apiKey: ApiKey | null;
  }
}

/** `Bearer <token>` (RFC 6750 section 2.1); the scheme in any case (RFC 9110 section 11.1). */
const BEARER = /^bearer +([\w\-.~+/]+=*)$/i;

/**
 * Finds the key that a request carries.
 *
 * @param isRefused - whether the client's address is refused, as for keys that were not valid
 * @throws ApiError 401 with `WWW-Authenticate` when there is none or it is not valid
 */
export async function authenticate(
  request: FastifyRequest,
  apiKeys: ApiKeys,
  isRefused: () => boolean,
): Promise<ApiKey> {
  const credentials = headerValues(request.raw, 'authorization');
  const [credential = ''] = credentials;
  if (!/^bearer +\S/i.test(credential)) {
    throw unauthorized('api_key_missing', 'Send your API key as Authorization: Bearer <API_KEY>');
  }
  const token = credentials.length === 1 ? BEARER.exec(credential)?.[1] : undefined;
  const apiKey = token && (await apiKeys.find(token, isRefused));
  if (!apiKey) throw unauthorized('api_key_invalid', 'The API key is not valid');
  return apiKey;
}

function unauthorized(code: 'api_key_missing' | 'api_key_invalid', message: string): ApiError {
  const error = code === 'api_key_invalid' ? ', error="invalid_token"' : '';
  return new ApiError(401, message, { code, headers: { 'WWW-Authenticate': `Bearer realm="petstore"${error}` } });
}
