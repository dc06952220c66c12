import { type Place, paired, pairedEntries } from '@petstore-platform/openapi';
import { compareEntry, type Finding, finding } from './finding.ts';
import type { Endpoint } from './operations.ts';
import { compareRest } from './rest.ts';
import { code, word } from './words.ts';

/** Compares the servers of an operation. The SDK names them by environment. */
export function* compareServers(before: Endpoint, after: Endpoint): Generator<Finding> {
  const [was, is] = [serversOf(before), serversOf(after)];
  const order = (some: Map<string, Place>, others: Map<string, Place>) =>
    [...some.keys()].filter((url) => others.has(url)).join();
  const message = 'The servers are in another order: consoles use the first.';
  const [first] = [...is.values()] as [Place];
  if (order(was, is) !== order(is, was)) yield finding('servers-reordered', 'documentation', first, message);
  for (const [url, old, now] of paired(was, is)) {
    if (!old || !now) yield* compareEntry('server', `The server ${code(url)}`, old, now);
    if (!old || !now) continue;
    const [one, other] = [old.at('x-environment'), now.at('x-environment')];
    yield* compareEntry('server-environment', `The environment of the server ${code(url)}`, one, other);
    yield* compareRest('server', [old], [now]);
  }
}

/** The servers of an operation by URL: its own, its path's, or the document's. Default: `/` (OpenAPI 3.1, OpenAPI Object). */
function serversOf({ place, item }: Endpoint): Map<string, Place> {
  const { root } = place.source;
  const servers = [place, item, root].map((owner) => owner.at('servers')).find(({ exists }) => exists);
  const byUrl = new Map(servers?.items().map((server) => [urlOf(server), server]));
  return byUrl.size > 0 ? byUrl : new Map([['/', root.at('servers')]]);
}

/** A URL in one notation: hosts have no case (RFC 3986, section 6.2.2.1), and default ports no effect (section 6.2.3). */
function urlOf({ value }: Place): string {
  const url = String(value?.url).replace(/\/$/, '') || '/';
  return url.replace(/^https?:\/\/[^/?#]+/i, (origin) =>
    origin.toLowerCase().replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2'),
  );
}

const limit = (value: unknown) => (value === null || value === undefined ? 'by agreement' : word(value));

/** Compares `x-rate-limit-plans`. A lower limit breaks clients: they get 429. */
export function* comparePlans(base: Place, head: Place): Generator<Finding> {
  for (const [plan, old, now] of pairedEntries(base.at('x-rate-limit-plans'), head.at('x-rate-limit-plans'))) {
    yield* compareEntry('rate-limit-plan', `The plan ${code(plan)}`, old, now);
    if (!old || !now) continue;
    for (const [window] of pairedEntries(old, now)) {
      const [was, is] = [old.at(window).value, now.at(window).value];
      // A limit of null is agreed with the customer.
      const message = `${code(plan)}: ${code(window)} is ${limit(is)}; it was ${limit(was)}.`;
      if (was !== null && is > was) yield finding('rate-limit-raised', 'compatible', now.at(window), message);
      else if (is !== was) yield finding('rate-limit-lowered', 'changed', now.at(window), message);
    }
  }
}
