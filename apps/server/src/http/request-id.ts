import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { IsTrusted } from './trust-proxy.ts';

/** What proxies and tracing systems use, and what is safe in a header, a log and a search for it. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

/** The id of a request: the `X-Request-Id` of a trusted proxy, otherwise a new one. */
export function requestIds(isTrusted: IsTrusted | false): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const forwarded = headers['x-request-id'];
    const believed = typeof forwarded === 'string' && isTrusted && isTrusted(socket.remoteAddress ?? '', 0);
    return believed && REQUEST_ID.test(forwarded) ? forwarded : randomUUID();
  };
}
