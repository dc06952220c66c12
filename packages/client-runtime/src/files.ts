/**
 * Files: uploads of streams, with their progress, and downloads.
 *
 * @module
 */
import { type Attempt, type PendingCall, tell } from './attempt.ts';
import { invariant } from './checks.ts';
import { formatOf } from './formats.ts';
import { pageOrigin, urlOf } from './headers.ts';
import type { Init, Operation } from './operation.ts';

/** The part of an upload that has been sent. */
export interface UploadProgress {
  /** Bytes handed to the connection in this attempt. A retry begins again at 0. */
  readonly sent: number;
  /** Bytes of the whole body; undefined for a stream. */
  readonly total: number | undefined;
}

/** Options of a call that sends files. */
export interface UploadOptions {
  /**
   * Called as the body is sent. Exceptions are ignored. Browsers cannot tell before the response begins: there it is called once, then, unless
   * the body is a stream.
   */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of a call that gives its response as a stream. */
export interface StreamOptions {
  /** Resolves as soon as the response begins. The limits of time end there, and `signal` ends the stream, too. */
  readonly as: 'stream';
}

/** The options of calls of an operation that sends or receives files, or whose bodies are not JSON. */
export function filesOf(operation: Operation, { as, onProgress, ...rest }: Init): Init {
  invariant(as === undefined || as === 'stream', "options: as must be 'stream'");
  const format = formatOf(operation, rest);
  const isStream = 'getReader' in Object(format.body);
  // A browser without streams of requests would send their names.
  invariant(!isStream || 'duplex' in Request.prototype, 'this runtime cannot send a stream: give a Blob');
  const init = { ...format, ...(isStream && { duplex: 'half' }), ...(as && { parseAs: 'stream' }) };
  return { ...init, flow: flowOf(init, operation, onProgress as Progress) };
}

type Progress = UploadOptions['onProgress'];
type Reader = ReadableStreamDefaultReader<Uint8Array>;

function flowOf(init: Init, operation: Operation, onProgress: Progress): NonNullable<Init['flow']> {
  const { body } = init;
  const flow = (call: PendingCall) => {
    const { fetch } = call;
    let reader: Reader | undefined;
    call.bodyOf = (request) => {
      if ('getReader' in Object(body)) return request.body;
      // A middleware may have replaced the request, and with it the body. The mark is that of openapi-fetch's own request.
      return body instanceof Blob && (request as Init & Request).flow === flow ? body : undefined;
    };
    call.fetch = async (url, prepared) => {
      const { latest } = call;
      const body: unknown = prepared.body;
      const { byteLength, size = byteLength } = Object(body);
      if ('getReader' in Object(body)) reader ??= (body as ReadableStream<Uint8Array>).getReader();
      // A page can send streams over HTTP/2 only, of which it does not know.
      const isCounted = onProgress && size && !pageOrigin() && 'duplex' in Request.prototype;
      // A getter, because the request is sent again with a new token after a 401.
      const get = () => {
        const source = reader ?? (new Response(body as Blob).body as ReadableStream<Uint8Array>).getReader();
        const onPull = () => {
          // Nothing has the bytes any more that a stream has given.
          if (reader) call.maxRetries = -1;
        };
        return counted(source, onPull, (sent) => tell(onProgress, { sent, total: size }));
      };
      const sent =
        reader || isCounted
          ? Object.defineProperty({ ...prepared, duplex: 'half' }, 'body', { enumerable: true, get })
          : prepared;
      const response = (await fetch.call(call, url, sent)) as Response;
      if (size && !isCounted) tell(onProgress, { sent: size, total: size });
      const { status, headers } = response;
      const type = headers.get('Content-Type');
      // A connection to something else would be replaced by another one for ever.
      if (operation.events && /^2/.test(`${status}`) && status !== 204 && !/^text\/event-stream\b/i.test(`${type}`)) {
        latest.refusal = `its Content-Type is ${type ?? 'absent'}, not text/event-stream`;
        void response.body?.cancel().catch(() => {});
      } else {
        const isPlace = operation.result === 'location' && /^30[12378]$/.test(`${status}`);
        const place = isPlace && headers.get('Location');
        latest.data = place ? urlOf(place, url)?.href : await read(response, init, prepared.signal);
      }
      return response;
    };
  };
  return flow;
}

/** The body of a response; undefined for one that is read as text. */
async function read(response: Response, { parseAs, signal }: Init, deadline: AbortSignal): Promise<Attempt['data']> {
  const { status, body } = response;
  if (!/^2/.test(`${status}`) || !/^(blob|stream|arrayBuffer)$/.test(`${parseAs}`)) return undefined;
  // Other implementations of `fetch` have no such body.
  if (!body || !('pipeThrough' in body)) return response.blob();
  const isStream = parseAs === 'stream';
  const until = isStream ? signal : deadline;
  const stream = body.pipeThrough(new TransformStream(), until ? { signal: until } : {});
  return isStream ? stream : new Response(stream).blob();
}

/** Bytes between two reports of progress. A runtime may give all bytes of a blob at once. */
const PIECE = 65_536;

/** A stream of what a reader gives, which reads nothing ahead, so that an attempt without a connection takes nothing. */
function counted(reader: Reader, onPull: () => void, onSent: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  let rest: Uint8Array = new Uint8Array();
  let isTaken = false;
  return new ReadableStream(
    {
      async pull(controller) {
        isTaken = true;
        onPull();
        while (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          rest = value;
        }
        const part = rest.subarray(0, PIECE);
        rest = rest.subarray(PIECE);
        sent += part.length;
        controller.enqueue(part);
        onSent(sent);
      },
      cancel: (reason) => (isTaken ? reader.cancel(reason) : undefined),
    },
    { highWaterMark: 0 },
  );
}
