import { ApiError, type Failure } from '@petstore-platform/server-runtime';
import { errorBody as bodyOf } from './generated/failure.ts';

/** The body of a failure: its messages by field. A failure of this service names the field at the beginning of its message. */
export function errorBody(failure: Failure) {
  if (failure.code === 'token_missing') return { errors: { token: ['is missing'] } };
  const [, field, message = ''] = /^([a-z]+) (.*)/.exec(failure.message) ?? [];
  return bodyOf(field && !failure.errors ? { ...failure, errors: [{ pointer: `/body/${field}`, message }] } : failure);
}

/** Refuses texts that are empty, which the contract admits. */
export function requireTexts(texts: Record<string, string | undefined>): void {
  const blank = Object.keys(texts).find((name) => texts[name]?.trim() === '');
  if (blank) throw new ApiError(422, `${blank} can't be blank`);
}
