import { type ErrorCode, PetstoreError } from '../petstore-error.ts';
import { parseRateLimit } from '../rate-limit.ts';
import { decodeError } from './decode.ts';
import type { Received } from './receive.ts';
import { parseRetryAfter } from './retry-after.ts';

interface Failure extends Received {
  readonly operation: string;
  readonly attempts: number;
  readonly apiKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What fetch, or reading the body, threw. Without it, the response itself is the failure. */
  readonly cause?: unknown;
}

/** The error for an attempt that failed. */
export function failure({ apiKey, now, response, ...rest }: Failure): PetstoreError {
  const { operation, attempts } = rest;
  // A service or a proxy may echo the request. Redacted before it is cut short, which could leave half a key.
  const text = redact(rest.text, apiKey);
  const line = (text: string) => brief(redact(text, apiKey));
  const body = 'cause' in rest || response?.ok ? undefined : decodeError(text);
  const [code, detail] = 'cause' in rest ? thrown(rest.cause) : answered(body, text);
  const status = response?.status ?? 0;
  const known = response && metadata(response.headers, now);
  const requestId = known?.requestId && line(known.requestId);

  const trail = [requestId && `request ${requestId}`, attempts > 1 && `${attempts} attempts`];
  const suffix = trail.filter(Boolean).join(', ');
  const summary = line(`${operation} failed: ${status || ''} ${code}: ${detail}`);
  return new PetstoreError(suffix ? `${summary} (${suffix})` : summary, {
    ...rest,
    ...known,
    requestId,
    status,
    code,
    body,
    response,
    text,
  });
}

/** What the headers of a success and of a failure tell alike. */
export function metadata(headers: Headers, now: number) {
  // Dates are meant by the service's clock, which the caller's may not agree with.
  const clock = Date.parse(headers.get('Date') ?? '') || now;
  return {
    requestId: headers.get('X-Request-Id') ?? undefined,
    rateLimit: parseRateLimit(headers, clock),
    retryAfter: parseRetryAfter(headers.get('Retry-After'), clock),
  };
}

function answered(body: ReturnType<typeof decodeError>, text: string): [ErrorCode, string] {
  return body ? [body.code, body.message] : ['unexpected_response', text || 'empty body'];
}

/** fetch wraps what a person needs to know, such as ECONNREFUSED, in a "fetch failed". */
function thrown(error: unknown): [ErrorCode, string] {
  const { name, cause = error } = Object(error);
  const { message, code } = Object(cause);
  const reason = [message, code, cause].find((text) => typeof text === 'string' && text) ?? 'no reason given';
  return [name === 'TimeoutError' ? 'timeout' : 'network_error', reason];
}

/** One line of bounded length, without control characters. */
const brief = (text: string) => text.slice(0, 300).replace(/[\s\p{Control}]+/gu, ' ');

/** Shorter keys are placeholders, and taking them out would garble the text. */
const redact = (text: string, apiKey: string) => (apiKey.length < 8 ? text : text.replaceAll(apiKey, '[API key]'));
