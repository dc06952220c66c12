import type { Call, CallResult, PagedCall } from '../call.ts';
import { linkTarget } from './link.ts';
import type { Operation, OperationTable } from './operation.ts';
import { type Context, perform } from './perform.ts';
import type { Settings } from './settings.ts';
import type { System } from './system.ts';

/** One method for each row of the table; those that may still change in a group named by their stability. */
export function buildClient(table: OperationTable, settings: Settings, system: System): object {
  const context: Context = { settings, system, announced: new Set() };
  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(table)) {
    if (operation.stability) client[operation.stability] ??= {};
    const owner = operation.stability ? client[operation.stability] : client;
    Object.assign(owner as object, { [name]: (...args: unknown[]) => start(context, name, operation, args) });
  }
  return client;
}

/**
 * Sends at once, as people expect of a method that they do not await, and gives a promise with more to it. It is a
 * promise of its own for the data, so that `await` takes the shortest way and `instanceof Promise` holds.
 */
function start(context: Context, name: string, operation: Operation, args: unknown[]): Call<unknown> {
  const send = (args: unknown[]) => perform(context, name, operation, args);
  const result = send(args);
  const data = result.then((result) => result.data);
  /** For who does not look at `data`: its rejection is theirs to handle, and is not reported a second time. */
  const take = () => {
    data.catch(() => {});
    return result;
  };

  const call = Object.assign(data, { withResponse: () => take().then((result) => result) });
  if (!operation.pages) return call;

  async function* pages() {
    let page = (await take()) as CallResult<unknown[]>;
    for (;;) {
      yield page.data;
      // Only the cursor is taken from the link: whatever it points to, the API key stays with this API.
      const cursor = linkTarget(page.response.headers, 'next', context.settings.baseUrl)?.searchParams.get('cursor');
      if (!cursor) return;
      page = (await send([{ ...(args[0] as object), cursor }, ...args.slice(1)])) as CallResult<unknown[]>;
    }
  }
  async function* items() {
    for await (const page of pages()) yield* page;
  }
  return Object.assign(call, { pages, [Symbol.asyncIterator]: items }) as PagedCall<unknown[]>;
}
