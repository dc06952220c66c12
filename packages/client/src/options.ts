import type { Limits } from './call.ts';
import type { DeprecationNotice } from './deprecation.ts';
import type { environments } from './generated/table.ts';
import type { PetstoreError } from './petstore-error.ts';

/** Options of {@link createClient}. */
export interface ClientOptions extends Limits {
  /**
   * The API key, sent as `Authorization: Bearer <apiKey>` (RFC 6750). Visible ASCII characters. It never appears in
   * an error of this package.
   */
  apiKey: string;

  /**
   * The environment to talk to.
   *
   * @default 'production'
   */
  environment?: keyof typeof environments | undefined;

  /**
   * Base URL of the API up to and including its version, with or without a trailing slash. Takes the place of
   * {@link environment}'s.
   *
   * @example 'http://127.0.0.1:3000/v1'
   */
  baseUrl?: string | undefined;

  /**
   * What sends the requests: a proxy, a recorder, a test double. It gets a `Request` (Fetch standard) and no second
   * argument.
   *
   * @default globalThis.fetch, looked up at each request
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;

  /**
   * Is told before each wait for another attempt. What it throws is ignored.
   *
   * @example ({ error, delay }) => console.warn(`${error.message}; next attempt in ${delay} ms`)
   */
  onRetry?: ((retry: Retry) => void) | undefined;

  /**
   * Is told once for each operation whose responses announce its removal. What it throws is ignored.
   *
   * @example ({ operation, sunset }) => console.warn(`${operation} will be removed on ${sunset}`)
   */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** An attempt that failed and will be repeated. */
export interface Retry {
  /** The operationId. */
  readonly operation: string;
  /** Which attempt failed, counted from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
  /** How it failed. */
  readonly error: PetstoreError;
}
