import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Whether the headers of a proxy are trusted. The peer of the connection is hop 0, the address that it forwards hop 1. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** @throws Error for a value that is no address or CIDR, and for networks that together are all addresses of a family */
export function trustNetworks(networks: string[]): IsTrusted {
  // `compile` accepts names and short forms of addresses, too.
  if (!networks.every((network) => isIP(network.split('/', 1)[0] ?? ''))) throw new Error('no address');
  const isTrusted = proxyAddr.compile(networks);
  if (STRANGERS.some((all) => all.every((address) => isTrusted(address, 0)))) throw new Error('all addresses');
  return (forwarded, hop) => isTrusted(withoutPort(forwarded), hop);
}

/** Addresses that are no proxy's, of both families (RFC 5737, RFC 3849, broadcast): networks that have them all are too wide. */
const STRANGERS = [
  ['192.0.2.1', '203.0.113.1', '255.255.255.255'],
  ['2001:db8::1', 'ff02::1'],
];

/** Removes the port that some proxies add, as in `1.2.3.4:5678` and `[::1]:80`. */
function withoutPort(forwarded: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
}

/** The address of a client, or its proxy's if that forwards something else. */
export function fullAddress({ ip, socket }: FastifyRequest): string {
  const forwarded = withoutPort(ip);
  return isIP(forwarded) ? forwarded : (socket.remoteAddress ?? '');
}

/** The address that a client is counted for: the /64 of an IPv6 address, the IPv4 address of a client behind NAT64 (RFC 6052). */
export function clientAddress(request: FastifyRequest): string {
  const address = fullAddress(request);
  const ip = isIPv6(address) && ipaddr.parse(address);
  return ip && ip.range() === 'rfc6052' ? ip.toByteArray().slice(-4).join('.') : normalizeIP(address);
}
