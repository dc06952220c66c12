import { type Failures, readerOf } from '@petstore-platform/client-runtime';
import type { OperationFailures } from './operations.ts';

type Bodies = { [Id in keyof OperationFailures]: OperationFailures[Id][keyof OperationFailures[Id]] };
/** The body of a failure. */
export type FailureBody = Exclude<Bodies[keyof Bodies], undefined>;

/** The codes that a failure may have. */
export type FailureCode = {{codes}}(string & {});

/** A failure of the service with its code and message. Other fields of its body are samples. */
const response: Failures['response'] = (status, code, message, given) => {
  const headers = new Headers(given);
  headers.set('Content-Type', {{type}});
{{?header}}  headers.set({{header}}, code);
  return new Response(JSON.stringify({{body}}), { status, headers });
};

/** How this SDK reads and writes the bodies of failures. */
export const failures: Failures = { read: readerOf({{places}}), response };
