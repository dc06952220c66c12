import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** Whether the headers of a proxy are believed. The peer of the connection is hop 0, the address that it forwards hop 1. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** @throws Error for a value that is no address or CIDR, and for a network of all addresses */
export function trustNetworks(networks: string[]): IsTrusted {
  // `compile` accepts names and short forms of addresses, too.
  if (!networks.every((network) => isIP(network.split('/', 1)[0] ?? ''))) throw new Error('no address');
  const isTrusted = proxyAddr.compile(networks);
  return (forwarded, hop) => isTrusted(withoutPort(forwarded), hop);
}

/** Removes the port that some proxies add, as in `1.2.3.4:5678` and `[::1]:80`. */
export function withoutPort(forwarded: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
}

/** The address of a client, or its proxy's if that forwards something else; of IPv6 the /64. */
export function clientAddress({ ip, socket }: FastifyRequest): string {
  const forwarded = withoutPort(ip);
  return normalizeIP(isIP(forwarded) ? forwarded : (socket.remoteAddress ?? ''));
}

/** Ids as proxies and tracing systems write them, safe in a header, a log and a search for it. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

/** The id of a request: the `X-Request-Id` of a trusted proxy, otherwise a new one. */
export function requestId({ headers, socket }: IncomingMessage, isTrusted: IsTrusted | false): string {
  const forwarded = headers['x-request-id'];
  const believed = typeof forwarded === 'string' && isTrusted && isTrusted(socket.remoteAddress ?? '', 0);
  return believed && REQUEST_ID.test(forwarded) ? forwarded : randomUUID();
}
