import type { ErrorBody } from '../generated/operations.ts';

/** The object or array in a JSON text; undefined for everything else, because no operation answers with less. */
export function decodeBody(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The contract's Error in a JSON text. Its `status` is not looked at: the response line has the one that counts. */
export function decodeError(text: string): Pick<ErrorBody, 'code' | 'message'> | undefined {
  const { code, message } = (decodeBody(text) ?? {}) as Partial<ErrorBody>;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}
