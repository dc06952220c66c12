import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { Contract, Received } from './contract.ts';

/** HTTP as raw bytes, for requests that `fetch` cannot send. */

/** The time in milliseconds within which even a busy machine answers. */
const TIMEOUT = 30_000;

export type RawResponse = Received & { body: string };

/**
 * Opens a TCP connection that may be half-open.
 *
 * @param timeout - the milliseconds after which reading rejects, and closes the connection
 */
export async function openConnection(port: number, timeout = TIMEOUT) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  const changes = new EventEmitter();
  socket.on('data', (chunk) => chunks.push(chunk));
  for (const event of ['data', 'end', 'close']) socket.on(event, () => changes.emit('change'));
  // An error is ignored, because the bytes that arrived before a reset are still read.
  socket.on('error', () => {});
  const received = () => Buffer.concat(chunks);
  const arrived = () => received().toString();
  const isOver = () => socket.readableEnded || socket.destroyed;

  async function until(condition: () => boolean, expected: string): Promise<string> {
    const signal = AbortSignal.timeout(timeout);
    while (!condition()) {
      if (isOver()) throw new Error(`closed before ${expected}: ${arrived()}`);
      await once(changes, 'change', { signal }).catch(() => {
        socket.destroy();
        throw new Error(`no ${expected} in ${timeout} ms: ${arrived().slice(0, 300)}`);
      });
    }
    return arrived();
  }

  return {
    /** @param onSent - called when the system has taken the bytes */
    write: (bytes: string | Buffer, onSent?: () => void) => void socket.write(bytes, onSent),
    /** Half-closes: the server may still write. */
    end: () => void socket.end(),
    /** Resolves to all received text once it matches. */
    read: (pattern: RegExp) => until(() => pattern.test(arrived()), String(pattern)),
    /** Resolves to all received text once the server closes the connection. */
    readToEnd: () => until(isOver, 'end of the connection'),
    /** All received bytes. */
    received,
    /** Resets the connection. After a half-close, the server would still answer. */
    destroy: () => void socket.resetAndDestroy(),
  };
}

/** Sends a request after which the server closes the connection. Validates the response against the contract. */
export async function exchange(port: number, request: string | Buffer, contract: Contract): Promise<RawResponse> {
  const connection = await openConnection(port);
  connection.write(request);
  const response = parseResponse(await connection.readToEnd());
  connection.end();
  const [method = '', target = ''] = request.toString('latin1').split(/[ \r\n]/, 2);
  const url = URL.canParse(target) ? target : `/${target.replace(/^\//, '')}`;
  contract.expectContract(method, url, response, response.body);
  return response;
}

/** Parses the first response; its body is the rest of `text`. */
export function parseResponse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map((line) => line.split(/: *(.*)/, 2) as [string, string]));
  return { status, headers, body: text.slice(end + 4) };
}
