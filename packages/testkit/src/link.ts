import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a TCP server that can fail. */
export interface Link {
  port: number;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Breaks all connections; new ones are let through. */
  reset(): void;
  /** Keeps connections open and passes nothing on, as when a machine is gone. New ones are frozen, too. */
  freeze(): void;
  /** Closes the server's side of every connection, and leaves the client's side open: its requests get no answer. */
  halfClose(): void;
  /** Lets every piece that passes wait, in milliseconds. */
  slow(delay: number): void;
  /** Leads new connections to another port, as a proxy does after a failover. */
  turn(port: number): void;
  /** Lets new connections through, and old ones as well unless they were frozen or closed. */
  mend(): Promise<void>;
}

/** Opens a way to `port` of `host`. `cut()` is also its end. */
export async function openLink(port: number, host = '127.0.0.1'): Promise<Link> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  // Those that missed something are of no use any more: they never go on in the middle.
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
      // One after the other, so that nothing overtakes.
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
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const reset = () => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
  };
  const own = await listen(0);
  return {
    port: own,
    reset,
    async cut() {
      reset();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
    freeze() {
      frozen = true;
      for (const { near, far } of pairs) for (const socket of [near, far]) dead.add(socket);
    },
    halfClose() {
      for (const { far } of pairs) {
        dead.add(far);
        far.end();
      }
    },
    slow(milliseconds) {
      delay = milliseconds;
    },
    turn(other) {
      target = other;
    },
    async mend() {
      frozen = false;
      delay = 0;
      if (!server.listening) await listen(own);
    },
  };
}
