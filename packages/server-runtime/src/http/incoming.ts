import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ApiError, malformed } from '../errors.ts';
import { GONE } from './request-state.ts';

/**
 * The bytes of a body, or of a file in it, as they arrive: nothing is read ahead of its reader. It fails with 413 for more than the limit.
 * If it is destroyed, the rest is dropped, so that the connection stays in use.
 */
export class Incoming extends Readable {
  readonly #source: Readable;
  readonly #limit: number;
  readonly #tooLarge: ApiError;
  readonly #hash: Hash | undefined;
  #digest: string | undefined;
  size = 0;

  /**
   * @param limit - the most bytes
   * @param options - the failures for more than these, and for a source that fails or ends before its end; whether it has a digest
   *   (default: true)
   */
  constructor(
    source: Readable,
    limit: number,
    options: { tooLarge?: ApiError; broken?: (error?: Error) => ApiError; hasDigest?: boolean } = {},
  ) {
    super();
    const { tooLarge = malformed('FST_ERR_CTP_BODY_TOO_LARGE'), broken = () => GONE, hasDigest = true } = options;
    this.#hash = hasDigest ? createHash('sha256') : undefined;
    this.#source = source;
    this.#limit = limit;
    this.#tooLarge = tooLarge;
    // Its reader may come later.
    this.on('error', () => {});
    source.on('data', this.#take);
    source.on('end', () => this.push(null));
    source.on('error', (error) => this.destroy(broken(error)));
    source.on('close', () => source.readableEnded || this.destroy(broken()));
    if (source.destroyed && !source.readableEnded) this.destroy(broken(source.errored ?? undefined));
    source.pause();
  }

  readonly #take = (chunk: Buffer): void => {
    this.size += chunk.length;
    if (this.size > this.#limit) return void this.destroy(this.#tooLarge);
    this.#hash?.update(chunk);
    if (!this.push(chunk)) this.#source.pause();
  };

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#source.off('data', this.#take);
    this.#source.resume();
    callback(error);
  }

  /**
   * SHA-256 of all bytes.
   *
   * @throws Error before the end
   */
  get digest(): string {
    if (!this.readableEnded || !this.#hash)
      throw new Error('A body is read to its end before a change: an Idempotency-Key covers all of it');
    this.#digest ??= this.#hash.digest('hex');
    return this.#digest;
  }
}

/** Reads all bytes. nginx sends a whole body, so that its chunks are few. */
export async function bytesOf(source: Readable): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
