import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ApiError, malformed } from '../errors.ts';
import { GONE } from './request-state.ts';

interface Failures {
  /** For more bytes than the limit. */
  tooLarge?: ApiError;
  /** For a source that fails or ends before its end. */
  broken?: (error: Error) => ApiError;
}

/** The chunks of a body, or of a file in it. They are not read ahead. @throws ApiError 413 for more than the limit */
async function* limited(source: Readable, limit: number, failures: Failures = {}, hash?: Hash): AsyncGenerator<Buffer> {
  const { tooLarge = malformed('FST_ERR_CTP_BODY_TOO_LARGE'), broken = () => GONE } = failures;
  let size = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > limit) throw tooLarge;
      hash?.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw error === tooLarge ? error : broken(error as Error);
  }
}

/** Reads all bytes. nginx sends a whole body, so that its chunks are few. */
export async function bytesOf(...source: Parameters<typeof limited>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of limited(...source)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The bytes of a body, or of a file in it, as they arrive. */
export interface Incoming extends Readable {
  /**
   * SHA-256 of all bytes.
   *
   * @throws Error before the end
   */
  readonly digest: string;
}

/** If it is destroyed, the rest is dropped, so that the connection stays in use. */
export function incoming(source: Readable, limit: number, failures?: Failures): Incoming {
  const hash = createHash('sha256');
  const chunks = limited(source, limit, failures, hash);
  const stream = Readable.from(chunks, { objectMode: false });
  // Its reader may come later.
  stream.on('error', () => {});
  // Node.js would first wait for the chunk that is asked for, which a client may never send.
  stream._destroy = (error, done) => {
    const drop = () => source.resume();
    chunks.return(undefined).then(drop, drop);
    done(error);
  };
  let digest: string | undefined;
  const get = () => {
    if (!stream.readableEnded) throw new Error('Read the whole body before write(): the Idempotency-Key covers it');
    digest ??= hash.digest('hex');
    return digest;
  };
  return Object.defineProperty(stream, 'digest', { get }) as Incoming;
}
