import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How often in milliseconds it is looked whether all is answered. */
const INTERVAL = 20;

export interface Drain {
  /** Whether the server is on its way out. */
  readonly started: boolean;
  /** Requests that are not answered yet. */
  readonly running: number;
  /**
   * Stops accepting connections, and waits until those that are there have got their last answer. A connection that is
   * kept alive is answered until an answer has said `Connection: close` (RFC 9112, section 9.6): a request that is on
   * its way meanwhile is not lost.
   *
   * @param limits - in milliseconds: `total`, and `quiet` without any request, after which idle connections are given up
   */
  run(limits: { total: number; quiet: number }): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

export function registerDrain(app: FastifyInstance): void {
  let started = false;
  let running = 0;
  let lastRequest = 0;
  const ended = () => {
    running -= 1;
  };
  app.addHook('onRequest', (_request, reply, done) => {
    running += 1;
    lastRequest = Date.now();
    // Also when the client has gone before its answer.
    reply.raw.once('close', ended);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (started) reply.header('Connection', 'close');
    done();
  });
  const drain: Drain = {
    get started() {
      return started;
    },
    get running() {
      return running;
    },
    async run({ total, quiet }) {
      started = true;
      lastRequest = Date.now();
      // That of net: http's own would also cut off connections that are idle at this moment.
      NetServer.prototype.close.call(app.server);
      const deadline = Date.now() + total;
      const isQuiet = () => running === 0 && Date.now() - lastRequest > quiet;
      while (Date.now() < deadline && !isQuiet() && (await openConnections(app)) > 0) await delay(INTERVAL);
      // What is left has no request; half of one, at most.
      if (running === 0) app.server.closeAllConnections();
    },
  };
  app.decorate('drain', drain);
}

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
