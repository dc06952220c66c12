// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import { CallError, type OwnCode, type Sdk } from '@petstore-platform/client-runtime';
import { credentialsOf } from '@petstore-platform/client-runtime/credentials';
import { type FailureBody, type FailureCode, failures } from './failure.ts';
import { security } from './security.ts';
import { environments, operations } from './table.ts';

export type { FailureBody, FailureCode } from './failure.ts';

/**
 * The kind of failure: a `code` of the contract, or one of this package's own three.
 *
 * - `network_error`: no response, or a connection that broke while the body arrived. `cause` has the reason.
 * - `timeout`: no complete response within `timeout` or `totalTimeout`.
 * - `unexpected_response`: a response that the contract does not define, such as the HTML page of a proxy.
 */
export type ErrorCode = FailureCode | OwnCode;

/**
 * The error with which a call rejects if it was sent and got no successful response as the contract defines it. `message` is one
 * line for logs: operation, status, code, the service's message and the request id. `cause` is the exception of `fetch`, or a copy
 * without the API key.
 */
export class ConduitError extends CallError {
  /** The kind of failure. New codes may be added: treat an unknown one by its `status`. */
  declare readonly code: ErrorCode;
  /** The body, if it is the one that the contract defines for the status; otherwise undefined. */
  declare readonly body: FailureBody | undefined;
  /** `'ConduitError'` */
  override get name(): 'ConduitError' {
    return 'ConduitError';
  }
}

/** The facts of the contract, and the names of this SDK. */
export const sdk: Sdk = {
  name: 'CONDUIT',
  headers: { 'x-conduit-client': 'js/0.0.0' },
  environments,
  operations,
  Error: ConduitError,
  failures,
  wrap: credentialsOf(security),
};
