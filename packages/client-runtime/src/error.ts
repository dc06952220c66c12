import { type CallSite, stackAt } from './call-site.ts';
import { tried } from './checks.ts';
import type { Failures } from './failure.ts';
import { metadata, originOf, pageOrigin, type RateLimit } from './headers.ts';
import { redactor } from './redact.ts';

/** The codes of failures without a valid response of the service. */
export type OwnCode = 'network_error' | 'timeout' | 'unexpected_response';
export const NO_RESPONSE = /^(timeout|network_error)$/;
export const UNEXPECTED = 'unexpected_response';

/** The base class of each SDK's errors. Do not catch it: two SDKs may have two copies of this package. */
export abstract class CallError extends Error {
  /** The operationId, or method and path of a `request()`. */
  declare readonly operation: string;
  /** The HTTP method. */
  declare readonly method: string;
  /** The requested URL with its query, without credentials. */
  declare readonly url: string;
  /** The HTTP status, 0 if there was no response. */
  declare readonly status: number;
  /** The kind of failure. */
  declare readonly code: string;
  /** The body, if it is the one that the contract defines for the status; otherwise undefined. */
  declare readonly body: unknown;
  /** The invalid values of the request, each with its JSON Pointer, such as `/body/name`. Empty for other failures. */
  declare readonly errors: readonly FieldFailure[];
  /** Identifier of the request in the service's logs (`X-Request-Id`), to quote in a support request. */
  declare readonly requestId: string | undefined;
  /** The rate limit after this request. */
  declare readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next request (`Retry-After`, RFC 9110, section 10.2.3). */
  declare readonly retryAfter: number | undefined;
  /** Number of requests sent: 1 without retries. */
  declare readonly attempts: number;
  /** The response without its body, which is in `text`. Undefined if there was none. */
  declare readonly response: Response | undefined;
  /** The part of the body that arrived, JSON or not, up to 64 kB; empty if there was none. */
  declare readonly text: string;
  /** The name of the SDK's class; on its prototype, so that the stack trace starts with it and minifiers do not change it. */
  abstract override get name(): string;

  /**
   * Used by the client and by `createTestClient`. `ours` replaces the code of the service, and `reason` its message: an exception,
   * or a text with the code `unexpected_response`.
   */
  constructor(evidence: Evidence, ours?: OwnCode, reason?: unknown) {
    const { method, attempts, sdk } = evidence;
    const [redact, redactResponse, redactCause] = redactor(evidence.keys);
    const operation = redact(evidence.operation);
    const url = redact(evidence.url);
    const response = evidence.response && redactResponse(evidence.response);
    const cause = ours === UNEXPECTED ? undefined : redactCause(reason);
    /**
     * Makes one line of bounded length, without control and format characters except for the joiner in emoji. The text is redacted
     * before it is cut, because half a key would not be recognized.
     */
    const line = (text: string) => redact(text.replace(/(?:(?!\u200D)[\s\p{Cc}\p{Cf}])+/gu, ' ')).slice(0, 300);

    // The text is copied, because a slice would keep all of it in memory. It is redacted before it is parsed, escapes included, so
    // that no string and no property name of the body contains the key.
    const text: string = JSON.parse(JSON.stringify(redact(evidence.text).slice(0, 65_536)));
    // The status line takes precedence over the body's `status`.
    const json = ours ? undefined : parseJson(text);
    const failure = sdk.failures.read(json, response) as { code: string; message: string; errors?: unknown };
    const valid = [failure.code, failure.message].every(isText) && !NO_RESPONSE.test(failure.code);
    const body = valid ? json : undefined;
    const errors = [body && (failure.errors ?? Object(body).errors)].flat().filter(isFieldFailure);
    const code = ours ?? (body ? line(failure.code) : UNEXPECTED);
    const meta = response && metadata(response.headers);
    const requestId = meta?.requestId && line(meta.requestId);
    const status = response?.status ?? 0;

    const [address = ''] = Object.values(sdk.environments);
    const hint =
      status === 404 && !evidence.notFound
        ? `check the base URL, whose path is ${new URL(address, url).pathname} in the contract: `
        : '';
    // A browser hides which of the two it was.
    const isForeign = ours === 'network_error' && pageOrigin() && pageOrigin() !== originOf(url);
    const cors = isForeign ? ', or the server does not allow this origin (CORS)' : '';
    const clientReason = ours && (reason || ours !== UNEXPECTED) && reasonOf(reason) + cors;
    const explanation = clientReason || (body && failure.message) || text || 'empty body';
    const summary = line(`${operation} failed: ${status || ''} ${code}: ${hint}${explanation}`);
    const trail = [requestId && `request ${requestId}`, attempts > 1 && `${attempts} attempts`].filter(Boolean);

    super(trail[0] ? `${summary} (${trail.join(', ')})` : summary, cause === undefined ? {} : { cause });
    Object.assign(this, { operation, method, url, attempts, ...meta, requestId, status, code, body, errors });
    // These are not enumerable, so that a logged error stays a few lines long.
    Object.defineProperties(this, { response: { value: response }, text: { value: text } });
    // V8 keeps all values that the frames refer to, such as the whole body, until the stack is read. So it is read here.
    const { stack = '' } = this;
    this.stack = stackAt(evidence.site, this) || stack;
    // The stack trace of the call site keeps `evidence` until it is read.
    evidence.text = '';
  }

  /** Returns the short fields, for structured logs. Omits the query of the URL, which may contain personal data. */
  toJSON(): object {
    const { name, message, url, cause } = this;
    const { message: reason } = Object(cause);
    const short = { name, message, url: url.replace(/\?.*/, ''), cause: reason && { message: reason } };
    return { ...this, rateLimit: undefined, body: undefined, errors: undefined, ...short };
  }
}

/** A value of a request that fails. */
export interface FieldFailure {
  /** JSON Pointer (RFC 6901) of the value, below `/path`, `/query`, `/header` or `/body`. */
  readonly pointer: string;
  /** The reason, to show beside the value. It does not contain the value's name. */
  readonly message: string;
}

const isText = (value: unknown) => typeof value === 'string';

const isFieldFailure = (value: unknown): value is FieldFailure =>
  ['pointer', 'message'].every((name) => isText(Object(value)[name]));

/** The facts about an attempt from which its failure is made. */
export interface Evidence extends Pick<CallError, 'operation' | 'method' | 'url'> {
  attempts: number;
  response?: Response;
  text: string;
  /** The API keys of all attempts, because the service may echo an earlier one. */
  readonly keys: Set<string>;
  readonly site: CallSite;
  readonly sdk: { readonly failures: Failures; readonly environments: { readonly [name: string]: string } };
  /** Whether a 404 is a failure of the operation. Otherwise only a wrong base URL has one. */
  readonly notFound: boolean | undefined;
}

/** Whether a caught value is an error of the class `name`, of any copy of its SDK or of any realm. */
export function isFailure(name: string, error: unknown, operation?: string, status?: unknown): boolean {
  const failure = Object(error) as CallError;
  return (
    failure.name === name &&
    (operation === undefined || failure.operation === operation) &&
    (status === undefined || (failure.status === status && failure.body !== undefined))
  );
}

/** The reason of a failed fetch, such as ECONNREFUSED, which fetch wraps in a "fetch failed". */
export function reasonOf(error: unknown): string {
  const { cause = error } = Object(error);
  const { message, code } = Object(cause);
  return [message, code, cause].find((text) => isText(text) && text) ?? 'no reason given';
}

/** Parses JSON; undefined for invalid text. */
export const parseJson = (text: string): unknown => tried(() => JSON.parse(text));
