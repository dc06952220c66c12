import type { PetstoreError } from './error.ts';

/** The data of a call with its response. */
export interface CallResult<T> extends Pick<PetstoreError, 'requestId' | 'rateLimit' | 'attempts'> {
  /** The value of the awaited call. */
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
}

/** A page with its response. */
export interface PageResult<T> extends CallResult<T> {
  /** The `cursor` of the next page, for a "Next" button; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

/** A promise of a call's data. The request is sent when the method is called, awaited or not. */
export interface Call<T> extends Promise<T> {
  /** The data together with its response. Sends no further request. */
  withResponse(): Promise<CallResult<T>>;
}

/**
 * A call for one page of a list. Awaited, it resolves to this page; iterated, it yields the items of this and all following
 * pages, each requested on demand with the options of the call.
 *
 * @example
 * for await (const pet of petstore.listPets({ status: 'available' })) console.log(pet.name);
 */
export interface PagedCall<T extends readonly unknown[]> extends Call<T> {
  /** The page together with its response and the cursor of the next page. Sends no further request. */
  withResponse(): Promise<PageResult<T>>;
  /** This page and all following ones, each requested on demand. */
  pages(): AsyncGenerator<T, undefined, undefined>;
  /** The items of this page and all following ones. */
  [Symbol.asyncIterator](): AsyncGenerator<T[number], undefined, undefined>;
}

/** The promise of a call's data, with the methods of `Call` or `PagedCall`. */
export function callOf(
  result: Promise<PageResult<unknown>>,
  /** Requests another page, of a list. */
  pageAt?: (cursor: string) => Promise<PageResult<unknown>>,
): Call<unknown> {
  const data = result.then((result) => result.data);
  /** The promise that the caller gets: its rejection is not reported a second time through `data`. */
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
