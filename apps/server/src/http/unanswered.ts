import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What stands in the log and the metrics for a request whose client has gone before its answer; nobody is sent it. */
const CLIENT_GONE = 499;

/** The requests that have no answer yet, by what Node.js knows them by. */
const unanswered = new WeakMap<ServerResponse, FastifyReply>();

/** The request that waits for this response, for whoever answers it without the framework: it is told no more. */
export function takeUnanswered(response: ServerResponse | undefined): FastifyReply | undefined {
  const reply = response && unanswered.get(response);
  if (reply) unanswered.delete(reply.raw);
  return reply;
}

/**
 * The framework tells of answers that were sent. The others would be seen nowhere, as when the database is slow and the
 * clients give up.
 *
 * @param onGone - told of a request that ends without an answer, and with which status
 */
export function trackUnanswered(
  app: FastifyInstance,
  onGone: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    unanswered.set(raw, reply);
    raw.once('close', () => {
      if (!takeUnanswered(raw) || raw.writableFinished) return;
      onGone(request, reply, raw.headersSent ? reply.statusCode : CLIENT_GONE);
    });
    done();
  });
}
