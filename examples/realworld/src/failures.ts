import { ApiError, type Failure } from '@petstore-platform/server-runtime';
import type { FailureBody } from './generated/operations.ts';

/**
 * The body of a failure: its messages by field. Failures of this service name the field at the beginning of their message, those of the
 * platform begin with a capital.
 */
export function errorBody({ code, message, errors = [] }: Failure): FailureBody {
  if (code === 'token_missing') return { errors: { token: ['is missing'] } };
  const [, field = 'body', text = message] = /^([a-z]+) (.*)/.exec(message) ?? [];
  if (errors.length === 0) return { errors: { [field]: [text] } };
  const fields = Object.groupBy(errors, ({ pointer }) => pointer.split('/').at(-1) || 'body');
  const messages = Object.entries(fields).map(([name, all = []]) => [name, all.map((each) => each.message)]);
  return { errors: Object.fromEntries(messages) };
}

/** Refuses texts that are empty, which the contract admits. */
export function requireTexts(texts: Record<string, string | undefined>): void {
  const blank = Object.keys(texts).find((name) => texts[name]?.trim() === '');
  if (blank) throw new ApiError(422, `${blank} can't be blank`);
}
