import type { CallError } from './error.ts';
import { metadata } from './headers.ts';

/** The data of a call with its response. */
export interface CallResult<T> extends Pick<CallError, 'requestId' | 'rateLimit' | 'retryAfter'> {
  /** The value of the awaited call. */
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
  /** Number of requests sent: 1 without retries, 0 if a middleware answered. */
  readonly attempts: number;
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
 * If the service links back to an earlier page, the iteration ends with an `unexpected_response`.
 *
 * @example
 * for await (const item of api.listItems()) console.log(item);
 */
export interface PagedCall<T extends readonly unknown[]> extends Call<T> {
  /** The page together with its response and the cursor of the next page. Sends no further request. */
  withResponse(): Promise<PageResult<T>>;
  /** This page and all following ones, each requested on demand. */
  pages(): AsyncGenerator<T, undefined, undefined>;
  /** The items of this page and all following ones. */
  [Symbol.asyncIterator](): AsyncGenerator<T[number], undefined, undefined>;
}

/** A result without the fields that `withResponse()` reads from the headers. */
export type Page = Omit<PageResult<unknown>, 'requestId' | 'rateLimit' | 'retryAfter'>;

/** The promise of a call's data, with the methods of `Call` or `PagedCall`. */
export function callOf(
  result: Promise<Page>,
  /** Requests another page of a list. Rejects if that page leads to a cursor of `seen`, to which its own is added. */
  pageAt?: false | ((cursor: string, seen: Set<unknown>) => Promise<Page>),
): Call<unknown> {
  const data = result.then((result) => result.data);
  // The consumer of a list may begin later, and gets the failure then.
  if (pageAt) data.catch(() => {});
  /** Returns the result to a caller that handles its rejection, and marks the same rejection of `data` as handled. */
  const take = () => {
    data.catch(() => {});
    return result;
  };
  const withResponse = () => take().then((page) => ({ ...page, ...metadata(page.response.headers) }));
  const call = Object.assign(data, { withResponse });
  if (!pageAt) return call;

  const pages = async function* () {
    // A service that links back to an earlier page would be asked for ever.
    const seen = new Set<unknown>();
    for (let page = await take(); ; page = await pageAt(page.nextCursor, seen)) {
      yield page.data as unknown[];
      if (page.nextCursor === undefined) return;
    }
  };
  return Object.assign(call, {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  });
}
