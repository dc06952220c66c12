// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import { type Failures, readerOf } from '@petstore-platform/client-runtime';
import type { OperationFailures } from './operations.ts';

type Bodies = { [Id in keyof OperationFailures]: OperationFailures[Id][keyof OperationFailures[Id]] };
/** The body of a failure. */
export type FailureBody = Exclude<Bodies[keyof Bodies], undefined>;

/** The codes that a failure may have. */
export type FailureCode = "invalid_request" | "unauthorized" | "api_key_missing" | "api_key_invalid" | "api_key_expired" | "payment_required" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "unprocessable_content" | "idempotency_key_reused" | "locked" | "precondition_required" | "rate_limit_exceeded" | "api_key_banned" | "request_header_fields_too_large" | "unavailable_for_legal_reasons" | "internal_error" | "not_implemented" | "bad_gateway" | "service_unavailable" | "outcome_unknown" | "gateway_timeout" | "token_missing" | "token_invalid" | "token_expired" | (string & {});

/** A failure of the service with its code and message. Other fields of its body are samples. */
const response: Failures['response'] = (status, code, message, given) => {
  const headers = new Headers(given);
  headers.set('Content-Type', 'application/json');
  headers.set('X-Error-Code', code);
  return new Response(JSON.stringify({ errors: { body: [message] } }), { status, headers });
};

/** How this SDK reads and writes the bodies of failures. */
export const failures: Failures = { read: readerOf({"fields":["errors"]}), response };
