import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Stranger } from './requests.ts';

/** The addresses of strangers and of the server. */
export interface Way {
  name: string;
  host: string;
  port: number;
  isTls?: boolean;
  /** How a client gets an address of its own: it has one, or the server trusts this machine to name it. */
  addresses: 'own' | 'forwarded';
}

/** Bytes and requests, sent and received. */
export interface Traffic {
  requests: number;
  sent: number;
  received: number;
  connections: number;
}

/** Requests of an address. A stranger has more within a minute: 60 in the API, 600 outside it, 30 for the script of the page. */
const OF_ADDRESS = 20;
const CONNECTIONS = 4;

let addresses = 0;

/** An address that no other client has: of 127.0.0.0/8, all of which is this machine, or of the networks for documents. */
function someAddress(way: Way): string {
  addresses += 1;
  const [high, low] = [addresses >> 8, addresses & 255];
  if (way.addresses === 'own') return `127.${1 + (high >> 8)}.${high & 255}.${low}`;
  return `2001:db8:${high.toString(16)}:${low.toString(16)}::1`;
}

/**
 * Sends requests for some time, one after the other on each of four connections.
 *
 * @throws Error for a response of another status
 */
export async function drive(stranger: Stranger, way: Way, milliseconds: number): Promise<Traffic> {
  const traffic: Traffic = { requests: 0, sent: 0, received: 0, connections: 0 };
  const end = performance.now() + milliseconds;
  const shared = someAddress(way);
  const connection = async () => {
    while (performance.now() < end)
      await visit(stranger, way, stranger.isOver ? shared : someAddress(way), end, traffic);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return traffic;
}

async function visit(stranger: Stranger, way: Way, address: string, end: number, traffic: Traffic): Promise<void> {
  const { host, port } = way;
  const local = way.addresses === 'own' ? { localAddress: address } : {};
  const plain = connect({ host, port, ...local });
  const socket = way.isTls ? connectTls({ socket: plain, rejectUnauthorized: false }) : plain;
  socket.on('error', () => {});
  await once(socket, way.isTls ? 'secureConnect' : 'connect');
  traffic.connections += 1;
  const { line, headers = [], body, header, status } = stranger;
  const own = ['Host: localhost', ...headers];
  if (way.addresses === 'forwarded') own.push(`X-Forwarded-For: ${address}`);
  if (body !== undefined) own.push(`Content-Length: ${body.length}`);
  for (let sent = 0; sent < OF_ADDRESS && performance.now() < end; sent++) {
    const text = `${[line, ...own, ...(header ? [header()] : [])].join('\r\n')}\r\n\r\n${body ?? ''}`;
    socket.write(text);
    const { bytes, found, isOpen } = await answerOf(socket, line.startsWith('HEAD '));
    const isOther = (stranger.isOver && found === 401) || (stranger.isOfProxy && way.isTls);
    if (found !== status && !isOther) throw new Error(`${stranger.name}, ${way.name}: ${found}, not ${status}`);
    traffic.requests += 1;
    traffic.sent += text.length;
    traffic.received += bytes;
    if (!isOpen) break;
  }
  socket.destroy();
}

/** Reads a whole response. */
async function answerOf(socket: Socket, isHead: boolean): Promise<{ bytes: number; found: number; isOpen: boolean }> {
  let [bytes, head, length] = [0, '', Number.POSITIVE_INFINITY];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (length === Number.POSITIVE_INFINITY) {
      head += chunk.toString('latin1');
      const at = head.indexOf('\r\n\r\n');
      if (at < 0) return;
      head = head.slice(0, at + 4);
      const hasNone = isHead || / 304 /.test(head.slice(0, 16));
      length = head.length + (hasNone ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0));
    }
    if (bytes >= length && !/^connection: close/im.test(head)) resolve(true);
  };
  const onClose = () => resolve(false);
  socket.on('data', onData).on('close', onClose);
  const isOpen = await promise;
  socket.off('data', onData).off('close', onClose);
  return { bytes, found: Number(head.slice(9, 12)), isOpen };
}
