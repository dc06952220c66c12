// The one file with I/O.
import { decodeBody } from './decode.ts';
import { failure } from './failure.ts';

export interface Call {
  readonly operation: string;
  readonly apiKey: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface Answer {
  readonly data: unknown;
  readonly response: Response;
}

/** One attempt: sends the request and reads the whole body, so that whatever goes wrong with it goes wrong in here. */
export async function send(request: Request, { fetch, ...call }: Call): Promise<Answer> {
  let response: Response | undefined;
  let text = '';
  try {
    response = await fetch(request);
    for await (const part of textOf(response)) text += part;
  } catch (cause) {
    throw failure({ ...call, response, text, cause });
  }
  const data = response.ok ? decodeBody(text) : undefined;
  if (data === undefined) throw failure({ ...call, response, text });
  return { data, response };
}

/** The body as it arrives: when it breaks off, what came before is worth reading. */
async function* textOf(response: Response): AsyncGenerator<string> {
  // Without a body, or without streams (React Native).
  if (!response.body?.getReader) return yield await response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    yield decoder.decode(chunk.value, { stream: true });
  }
  yield decoder.decode();
}
