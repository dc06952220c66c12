/** Sends events to receivers outside, signed as https://www.standardwebhooks.com says. */
import { createHmac, randomBytes } from 'node:crypto';
import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A secret for a receiver, which verifies the signatures of its events by it. */
export const webhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

const PREFIX = 'whsec_';

/** The headers of an event. @param secrets - one, or several with a space between, of which the receiver knows at least one */
export function signed(id: string, seconds: number, body: string, secrets: string): Record<string, string> {
  const signatures = secrets.split(' ').map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': signatures.join(' ') };
}

export interface PostOptions {
  headers: Record<string, string>;
  body: string;
  /** Milliseconds until the response. */
  timeout: number;
  /** Whether it may go to any address, and without TLS. */
  isAny: boolean;
}

/**
 * Posts JSON, and resolves to the status of the response, whose body is not read. Redirections are not followed.
 *
 * @throws Error without a response, and for an address that is not public: the URL is the receiver's choice, and must lead to nothing
 *   inside
 */
export async function post(url: string, { headers, body, timeout, isAny }: PostOptions): Promise<number> {
  const { protocol, hostname } = new URL(url);
  if (!isAny && protocol !== 'https:') throw new Error('the URL is not https');
  const address = hostname.replace(/^\[|\]$/g, '');
  // A literal address is not looked up.
  if (!isAny && isIP(address) && !isPublic(address)) throw new Error(NOT_PUBLIC);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(timeout);
  const options = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    signal,
    agent: false as const,
    ...(!isAny && { lookup: lookupPublic }),
  };
  send(url, options, resolve)
    .on('error', (error) => reject(signal.aborted ? new Error(`no response within ${timeout} ms`) : error))
    .end(body);
  const response = await promise;
  // It could be endless.
  response.on('error', () => {}).destroy();
  return response.statusCode ?? 0;
}

const NOT_PUBLIC = 'the address of the receiver is not public';

/**
 * Whether an address is one of the internet: not of this machine, a private network, or one that leads to either. All such IPv6 addresses
 * are in 2000::/3 (RFC 4291, section 2.4); the rest of the range is not assigned, or has IPv4 addresses.
 */
function isPublic(address: string): boolean {
  const ip = ipaddr.process(address);
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || (ip.toByteArray()[0] ?? 0) >> 5 === 1);
}

/** Looks up a name, and refuses it unless all its addresses are public. The connection goes to these, so that no later look-up differs. */
const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, options, (error, found, family) => {
    const addresses = [found ?? []].flat().map((each) => (typeof each === 'string' ? each : each.address));
    const failure = error ?? (addresses.every(isPublic) ? null : new Error(NOT_PUBLIC));
    callback(failure, found, family);
  });
