import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signed, type TokenConfig } from '@petstore-platform/server-runtime/testing';
import { newKey } from '../issuer.ts';

type Key = Parameters<typeof signed>[0];

/** The claims of a token. */
export type Claims = Parameters<typeof signed>[1];

/** An issuer of tokens in the process of a test, on a free port of 127.0.0.1. */
export class TestIssuer {
  readonly #server = createServer(async (request, response) => {
    this.requests += 1;
    await this.held;
    if (this.isAway) return void response.writeHead(503).end();
    const isKeys = request.url === '/keys';
    response.end(
      JSON.stringify(isKeys ? { keys: this.published } : { issuer: this.url, jwks_uri: `${this.url}/keys` }),
    );
  });
  /** The keys that it publishes. */
  published: object[] = [];
  /** Whether it answers 503. */
  isAway = false;
  /** Until when it does not answer. Default: it does. */
  held: Promise<void> | undefined;
  requests = 0;
  url = '';
  #key: Key = {};

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    await this.rotate();
    return this;
  }

  /** The configuration of a server that trusts it. */
  get config(): TokenConfig {
    return { OIDC_ISSUER: this.url, OIDC_AUDIENCE: 'test', OIDC_JWKS: '' };
  }

  /** The configuration of a server that has its keys, and issues such tokens itself. */
  get own(): TokenConfig {
    return { ...this.config, OIDC_JWKS: JSON.stringify({ keys: [this.#key] }) };
  }

  /** Signs with a new key from now on, and publishes only this one. */
  async rotate(): Promise<void> {
    this.#key = newKey();
    this.published = [{ ...this.#key, d: undefined }];
  }

  /** @param claims - default: those of the subject `test`, for an hour @param time - Unix time in milliseconds */
  token(claims: Claims = {}, header: object = {}, time = Date.now()): Promise<string> {
    const now = Math.floor(time / 1_000);
    const usual = { iss: this.url, aud: 'test', sub: 'test', iat: now, exp: now + 3_600 };
    // A claim that is undefined is left out, as in all JSON.
    return signed(this.#key, { ...usual, ...claims }, header);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
