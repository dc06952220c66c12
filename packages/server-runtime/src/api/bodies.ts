import type { Operation } from '../contract.ts';
import { isJson, isText } from '../http/media.ts';
import { Answer } from './answer.ts';
import type { HandlerResult } from './handler.ts';
import type { Run } from './read.ts';

/**
 * A handler whose bodies are JSON, as responses are stored: a text in quotes, and bytes in Base64.
 *
 * @param isStored - whether they are stored. Otherwise bytes stay as they are
 */
export function withBodies(run: Run, { types = {}, texts = [] }: Operation['response'], isStored: boolean): Run {
  if (Object.keys(types).length === 0 && texts.length === 0) return run;
  return async (...args) => {
    const result: Answer | HandlerResult = await run(...args);
    if (result instanceof Answer) return result;
    const { status, body } = result;
    const { [status]: type } = types;
    if (typeof body === 'string' && texts.includes(status)) return { ...result, body: JSON.stringify(body) };
    if (type === undefined || isJson(type)) return result;
    const isRight = isText(type) ? typeof body === 'string' : body instanceof Uint8Array;
    if (!isRight) throw new Error(`The body of a response as ${type} is a ${isText(type) ? 'string' : 'Uint8Array'}`);
    if (body instanceof Uint8Array && !isStored) return result;
    return {
      ...result,
      body: JSON.stringify(body instanceof Uint8Array ? Buffer.from(body).toString('base64') : body),
    };
  };
}

/** A body of another type than JSON, as it is sent. @param body - as `withBodies` gives it */
export function sentBody(type: string, body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text: string = JSON.parse(body as string);
  return isText(type) ? text : Buffer.from(text, 'base64');
}
