{{?hasErrorBody}}import { CallError, type OwnCode, type Sdk } from '@petstore-platform/client-runtime';
{{!hasErrorBody}}import { CallError, failures, type OwnCode, type Sdk } from '@petstore-platform/client-runtime';
{{?withEvents}}import { eventsOf } from '@petstore-platform/client-runtime/events';
{{?secured}}import { credentialsOf } from '@petstore-platform/client-runtime/credentials';
{{?entry}}import { {{reads}} } from '@petstore-platform/client-runtime/{{entry}}';
{{?hasStyles}}import { stylesOf } from '@petstore-platform/client-runtime/styles';
{{?hasErrorBody}}import { type FailureBody, type FailureCode, failures } from './failure.ts';
{{!hasErrorBody}}import type { ErrorBody } from './operations.ts';
{{?secured}}import { security } from './security.ts';
import { environments, operations } from './table.ts';

{{?hasErrorBody}}export type { FailureBody, FailureCode } from './failure.ts';
{{!hasErrorBody}}/** The body of a failure. */
{{!hasErrorBody}}export type FailureBody = ErrorBody;
{{!hasErrorBody}}
{{!hasErrorBody}}/** The codes that a failure may have. */
{{!hasErrorBody}}export type FailureCode = ErrorBody['code'];

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
export class {{Name}}Error extends CallError {
  /** The kind of failure. New codes may be added: treat an unknown one by its `status`. */
  declare readonly code: ErrorCode;
  /** The body, if it is the one that the contract defines for the status; otherwise undefined. */
  declare readonly body: FailureBody | undefined;
  /** `'{{Name}}Error'` */
  override get name(): '{{Name}}Error' {
    return '{{Name}}Error';
  }
}

/** The facts of the contract, and the names of this SDK. */
export const sdk: Sdk = {
  name: '{{prefix}}',
  headers: { 'x-{{dashed}}-client': 'js/{{version}}' },
  environments,
  operations,
  Error: {{Name}}Error,
  failures,
{{?formats}}  {{formats}},
{{?wrap}}  wrap: {{wrap}},
};
