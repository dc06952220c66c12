import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './server.ts';

/** A TCP proxy with faults to inject. */
export type TcpProxy = Awaited<ReturnType<typeof openTcpProxy>>;

/** Opens a proxy to `port` of `host`. `cut()` closes it. */
export async function openTcpProxy(port: number, host = '127.0.0.1') {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  // These sockets lost data, so passing on the rest would corrupt the stream.
  const dead = new WeakSet<Socket>();
  let target = port;
  let frozen = false;
  let delay = 0;

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host, allowHalfOpen: true });
    const pair = { near, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      // Writes are chained, so that delayed chunks stay in order.
      let last = Promise.resolve();
      const pass = (work: () => void) => {
        if (frozen) dead.add(from);
        if (dead.has(from)) return;
        if (delay > 0) last = last.then(() => sleep(delay));
        last = last.then(() => void (!to.destroyed && !dead.has(from) && work()));
      };
      from.on('data', (chunk) => pass(() => to.write(chunk)));
      from.on('end', () => pass(() => to.end()));
      from.on('error', () => {});
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  /** Destroys all connections and accepts new ones. */
  const reset = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };
  const proxyPort = await listen(server);
  return {
    port: proxyPort,
    reset,
    /** Destroys all connections and refuses new ones. */
    async cut() {
      reset();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
    /** Drops all data of open and new connections, as a network partition does. */
    freeze() {
      frozen = true;
      for (const { near, far } of pairs) for (const socket of [near, far]) dead.add(socket);
    },
    /** Closes only the server's side of every connection, so that requests of the client stay unanswered. */
    halfClose() {
      for (const { far } of pairs) {
        dead.add(far);
        far.end();
      }
    },
    /** Delays every chunk. */
    slow(milliseconds: number) {
      delay = milliseconds;
    },
    /** Sends new connections to another port, as after a failover. */
    turn(other: number) {
      target = other;
    },
    /** Ends all faults. Connections that were frozen or closed stay dead. */
    async mend() {
      frozen = false;
      delay = 0;
      if (!server.listening) await listen(server, proxyPort);
    },
  };
}
