// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { Failure } from '@petstore-platform/server-runtime';
import type { FailureBody } from './operations.ts';

type Make = (failure: Failure) => unknown;

const usual: Make = ({ message, errors }) => ({ errors: byField(errors ?? [{ pointer: "/body", message }]) });

/** The messages by field, the last name of its pointer, or the first of each. Those of the request as a whole are of `body`. */
function byField(errors: NonNullable<Failure['errors']>, isFirst = false) {
  const nameOf = (pointer: string) => pointer.split('/').findLast((key) => /\D/.test(key)) ?? 'body';
  const fields = Object.entries(Object.groupBy(errors, ({ pointer }) => nameOf(pointer)));
  return Object.fromEntries(fields.map(([field, all = []]) => [field, isFirst ? all[0]?.message : all.map(({ message }) => message)]));
}

/** The bodies by operationId and status, of operations that have others than the usual one. */
const others: Record<string, Make> = {
};

/** The body of a failure. Other fields than its texts are samples. A service may have an `errorBody` of its own. */
export function errorBody(failure: Failure): FailureBody {
  const { operation, status } = failure;
  const keys = [status, `${Math.floor(status / 100)}XX`, 'default'];
  const [make = usual] = keys.flatMap((key) => others[`${operation} ${key}`] ?? []);
  return make(failure) as FailureBody;
}
