import type { RateLimit } from './headers.ts';

/** A call's data, and what came with it. */
export interface CallResult<T> {
  /** The value of the awaited call. */
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
  /** Identifier of the request in the service's logs (`X-Request-Id`). */
  readonly requestId: string | undefined;
  /** What is left of the rate limit. */
  readonly rateLimit: RateLimit | undefined;
  /** How many requests it took; 1 without retries. */
  readonly attempts: number;
}

/** A page, and what came with it. */
export interface PageResult<T> extends CallResult<T> {
  /** The `cursor` of the next page, for a "Next" button; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** A call under way: a promise of its data. It was sent when the method was called, awaited or not. */
export interface Call<T> extends Promise<T> {
  /** The data together with the response that carried it. Sends nothing anew. */
  withResponse(): Promise<CallResult<T>>;
}

/**
 * A call under way that is a page of a longer list. Awaited, it gives this page; iterated, it gives the items of this
 * and all following pages, each requested when it is needed, with the options of the call.
 *
 * @example
 * for await (const pet of petstore.listPets({ status: 'available' })) console.log(pet.name);
 */
export interface PagedCall<T extends readonly unknown[]> extends Call<T> {
  /** The page together with the response that carried it and the cursor of the next one. Sends nothing anew. */
  withResponse(): Promise<PageResult<T>>;
  /** This page and all that follow, each requested when it is needed. */
  pages(): AsyncGenerator<T, undefined, undefined>;
  /** The items of this page and of all that follow. */
  [Symbol.asyncIterator](): AsyncGenerator<T[number], undefined, undefined>;
}

/** The promise of a call's data, with the methods of `Call` or `PagedCall`. */
export function callOf(
  result: Promise<PageResult<unknown>>,
  /** Requests another page, of a list. */
  pageAt?: (cursor: string) => Promise<PageResult<unknown>>,
): Call<unknown> {
  const data = result.then((result) => result.data);
  /** For a caller who does not look at `data`: its rejection is theirs to handle, and is not reported a second time. */
  const take = () => {
    data.catch(() => {});
    return result;
  };
  const call = Object.assign(data, { withResponse: () => take().then((result) => result) });
  if (!pageAt) return call;

  async function* pages() {
    for (let page = await take(); ; page = await (pageAt as NonNullable<typeof pageAt>)(page.nextCursor as string)) {
      yield page.data as unknown[];
      if (page.nextCursor === undefined) return;
    }
  }
  async function* items() {
    for await (const page of pages()) yield* page;
  }
  return Object.assign(call, { pages, [Symbol.asyncIterator]: items });
}
