/** The code of a failure that names none, by its status. */
export const CODES = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  422: 'unprocessable_content',
  423: 'locked',
  428: 'precondition_required',
  429: 'rate_limit_exceeded',
  431: 'request_header_fields_too_large',
  451: 'unavailable_for_legal_reasons',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
} as const;

/** Any other status says no more than its number. */
export const codeOf = (status: number): ErrorCode => (CODES as Record<number, string>)[status] ?? `http_${status}`;

/** The codes of the platform's contract, and any that a handler throws. */
export type ErrorCode =
  | (typeof CODES)[keyof typeof CODES]
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_banned'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'outcome_unknown'
  | (string & {});
