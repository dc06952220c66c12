import type { FastifyInstance } from 'fastify';
import type { Operation } from '../contract.ts';

/** Tests make it shorter. */
export const uploads = {
  /** Milliseconds within which a body arrives. */
  timeout: 30_000,
  /** The least bytes per second of a body that is read as it arrives. A client that sends less holds a connection for nothing. */
  rate: 16 * 1024,
};

const timeOf = (bytes: number) => uploads.timeout + (bytes / uploads.rate) * 1_000;

/**
 * Gives bodies that are read as they arrive the time that they need, and ends slower ones, as all others, with 408. Node.js has one limit
 * for all requests.
 *
 * @param streamed - the operations that read them so
 */
export function requireUploadRate(app: FastifyInstance, streamed: readonly Operation[]): void {
  const longest = Math.max(...streamed.map(({ body }) => body?.max ?? app.initialConfig.bodyLimit ?? 0));
  app.server.requestTimeout = timeOf(longest);
  app.addHook('preParsing', ({ raw, routeOptions }, _reply, _payload, done) => {
    const { socket } = raw;
    const [began, before] = [performance.now(), socket.bytesRead];
    const check = () => {
      const bytes = routeOptions.config.isStream ? socket.bytesRead - before : 0;
      const left = began + timeOf(bytes) - performance.now();
      if (left > 0) timer = setTimeout(check, left).unref();
      else app.requests.clientError(Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    };
    let timer: NodeJS.Timeout | undefined;
    if (!raw.complete) {
      check();
      raw.on('close', () => clearTimeout(timer));
    }
    done();
  });
}
