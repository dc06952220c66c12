import { once } from 'node:events';
import { connect } from 'node:net';
import { expectContract } from './contract.ts';

/** HTTP byte by byte, for what `fetch` does not send. */

/** A busy machine answers within this time in milliseconds. */
const PATIENCE = 30_000;

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** A connection to write to and read from step by step. */
export interface Connection {
  write(bytes: string | Buffer): void;
  /** Closes this side only. */
  end(): void;
  /** Everything that has arrived, once it matches. Fails when it does not within seconds. */
  read(pattern: RegExp): Promise<string>;
  /** Until the server closes the connection: everything that arrived. */
  readToEnd(): Promise<string>;
  destroy(): void;
}

/** A connection that does not close its own side by itself. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => {
    ended = true;
  });
  for (const event of ['data', 'end', 'close']) socket.on(event, () => wake());
  // What arrived before a reset counts.
  socket.on('error', () => {});
  const arrived = () => Buffer.concat(chunks).toString();

  async function until(condition: () => boolean, expected: string): Promise<string> {
    const deadline = Date.now() + PATIENCE;
    while (!condition()) {
      if (ended || socket.destroyed) throw new Error(`closed before ${expected}: ${arrived()}`);
      if (Date.now() >= deadline) throw new Error(`no ${expected} in ${PATIENCE} ms: ${arrived()}`);
      const signal = AbortSignal.timeout(deadline - Date.now());
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
    return arrived();
  }

  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    read: (pattern) => until(() => pattern.test(arrived()), String(pattern)),
    readToEnd: () => until(() => ended || socket.destroyed, 'end of the connection'),
    destroy: () => void socket.destroy(),
  };
}

/** Sends a request that asks for the end of the connection, or leads to it. */
export async function exchange(port: number, request: string | Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request);
  const chunks: Buffer[] = [];
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`no end of the response in ${PATIENCE} ms`)));
  for await (const chunk of socket) chunks.push(chunk);
  const response = parseResponse(Buffer.concat(chunks).toString());
  const [method = '', target = ''] = request.toString('latin1').split(/[ \r\n]/, 2);
  expectContract(method, URL.canParse(target) ? target : `/${target.replace(/^\//, '')}`, response, response.body);
  return response;
}

/** The first response in what arrived. */
export function parseResponse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map((line) => line.split(/: *(.*)/, 2) as [string, string]));
  return { status, headers, body: text.slice(end + 4) };
}
