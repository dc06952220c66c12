import type { environments } from './generated/operations.ts';

/** Options of {@link createClient}. */
export interface ClientOptions {
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
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * Aborts the call, also while its body arrives. The call rejects with the signal's reason, as `fetch` does.
   *
   * @example AbortSignal.timeout(5000)
   */
  signal?: AbortSignal | null | undefined;
}
