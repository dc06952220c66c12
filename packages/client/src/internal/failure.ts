import { type ErrorCode, PetstoreError } from '../errors.ts';
import { parseRateLimit } from '../rate-limit.ts';
import { decodeError } from './decode.ts';
import { parseRetryAfter } from './retry-after.ts';

interface Failure {
  readonly operation: string;
  readonly apiKey: string;
  readonly response: Response | undefined;
  /** What arrived of the body. */
  readonly text: string;
  /** What fetch, or reading the body, threw. */
  readonly cause?: unknown;
}

/** The error for an attempt that failed; without a cause, the response itself is the failure. */
export function failure({ operation, apiKey, response, ...rest }: Failure): PetstoreError {
  // Redacted before it is cut short, which could leave half a key: a service or a proxy may echo the request.
  const text = redact(rest.text, apiKey);
  const [code, detail] =
    'cause' in rest ? ['network_error', redact(reason(rest.cause), apiKey)] : explain(response, text);
  const status = response?.status ?? 0;
  const headers = response?.headers;
  const requestId = headers?.get('X-Request-Id') ?? undefined;
  // A date is meant by the service's clock, which the caller's may not agree with.
  const now = Date.parse(headers?.get('Date') ?? '') || Date.now();

  const summary = `${operation} failed: ${status ? `${status} ` : ''}${code}: ${brief(detail)}`;
  return new PetstoreError(requestId ? `${summary} (request ${requestId})` : summary, {
    ...rest,
    status,
    code,
    requestId,
    rateLimit: headers && parseRateLimit(headers),
    retryAfter: headers && parseRetryAfter(headers.get('Retry-After'), now),
    response,
    text,
  });
}

function explain(response: Response | undefined, text: string): [ErrorCode, string] {
  const body = response?.ok ? undefined : decodeError(text);
  if (body) return [body.code, body.message];
  return ['unexpected_response', text || 'empty body'];
}

/** fetch wraps what a person needs to know, such as ECONNREFUSED, in a "fetch failed". */
function reason(error: unknown): string {
  const { cause = error } = Object(error);
  const { message, code } = Object(cause);
  return [message, code, cause].find((text) => typeof text === 'string' && text) ?? 'no reason given';
}

/** One line of bounded length, without control characters. */
const brief = (text: string) => text.slice(0, 300).replace(/[\s\p{Control}]+/gu, ' ');

/** Shorter keys are placeholders, and taking them out would garble the text. */
const redact = (text: string, apiKey: string) => (apiKey.length < 8 ? text : text.replaceAll(apiKey, '[API key]'));
