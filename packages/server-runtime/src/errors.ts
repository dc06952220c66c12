import type { ErrorCode as Code, ErrorBody } from './contract.ts';

/** The message of a 404 that says no more. */
export const NOT_FOUND = 'The requested resource could not be found';

/** A failure with the contract's Error body. Any other exception becomes a 500 without details. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: Code;
  readonly headers: Record<string, string>;

  /**
   * @param status - HTTP status
   * @param message - sent to the client: no stack, query or key
   */
  constructor(status: number, message: string, options: { code?: Code; headers?: Record<string, string> } = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? CODES[status] ?? 'invalid_request';
    this.headers = options.headers ?? {};
  }

  body(): ErrorBody {
    return { code: this.code, message: this.message, status: this.status };
  }
}

const CODES: Record<number, Code> = {
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limit_exceeded',
  431: 'request_header_fields_too_large',
  500: 'internal_error',
  501: 'not_implemented',
  503: 'service_unavailable',
};
