import type { IncomingMessage } from 'node:http';
import type { ApiKey } from '../keys/keys.ts';
import type { Decision } from '../limits/windows.ts';
import type { ApiError } from './errors.ts';
import type { Overload } from './load.ts';

/** An operation of the contract, as in `generated/table.ts`. */
export interface Operation {
  id: string;
  path: string;
  queryParameters: string[];
  headerParameters: string[];
  bodyRequired: boolean;
  announcement: { Deprecation?: string; Sunset?: string; Link?: string };
}

/** All that is known of one request, from its arrival to the end of its answer. */
export class Exchange {
  readonly id: string;
  /** `performance.now()` */
  readonly began = performance.now();
  /** Undefined: bytes that are no request. */
  readonly request: IncomingMessage | undefined;
  /** What is wrong with it, found before it may be answered. */
  failure: ApiError | undefined = undefined;
  operation: Operation | undefined = undefined;
  apiKey: ApiKey | undefined = undefined;
  /** How the key or the address stands in its limits. Undefined: not counted. */
  decision: Decision | undefined = undefined;
  /** Whether the server works on it, rather than waits for the client to send or to read. */
  working = false;
  /** Which limit of the server's load refused it. */
  overload: Overload | undefined = undefined;
  status = 0;
  /** The `code` of the failure that was answered. */
  code: ApiError['code'] | undefined = undefined;

  constructor(id: string, request?: IncomingMessage) {
    this.id = id;
    this.request = request;
  }

  /** Which SDK sent it, as in `js/1.2.0`. Undefined: none that says so. */
  get client(): string | undefined {
    const client = this.request?.headers['x-petstore-client'];
    return client === undefined || CLIENT.test(String(client)) ? (client as string | undefined) : 'other';
  }

  get milliseconds(): number {
    return performance.now() - this.began;
  }
}

const CLIENT = /^js\/\d{1,4}\.\d{1,4}\.\d{1,4}(-[a-z\d.]{1,16})?$/;

declare module 'node:http' {
  interface IncomingMessage {
    exchange: Exchange;
  }
}
