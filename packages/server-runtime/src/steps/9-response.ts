import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { HandlerResult } from '../api/handler.ts';
import { sendAs } from '../api/response-body.ts';
import { BEARER, isAuthorization } from '../caller.ts';
import type { Contract, Operation } from '../contract.ts';
import { checkHeaders } from '../errors.ts';
import { JSON_TYPE } from '../http/failures.ts';

/** 9. Every response, failures included, has the headers of a deprecation. It is logged once it is sent. */
export const response = plugin(
  async (app: FastifyInstance, { operations }: Pick<Contract, 'operations'>) => {
    // Responses are text that Postgres wrote, or errors.
    app.setSerializerCompiler(() => JSON.stringify);
    // Shared caches know only `Authorization` as a credential (RFC 9111, section 3.5).
    const unseen = Object.values(operations).filter(({ security = BEARER }) => !security.flat().every(isAuthorization));
    const isPrivate = new Set(unseen.map(({ id }) => id));
    app.addHook('onSend', ({ raw: { state } }, reply, _payload, done) => {
      app.requests.rest(state);
      const { operation } = state;
      const link = reply.getHeader('Link');
      reply.headers(operation?.announcement ?? {});
      // The handler's own link stays, such as that to the next page.
      if (link && operation?.announcement.Link) reply.header('Link', `${link}, ${operation.announcement.Link}`);
      if (operation && isPrivate.has(operation.id) && !reply.hasHeader('Cache-Control'))
        reply.header('Cache-Control', 'private');
      done();
    });
  },
  { name: 'response', dependencies: ['handler'] },
);

/** Sends the response of a handler. @throws Error for a status, a header or a body that cannot be sent */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  result: HandlerResult,
  operation: Operation,
): FastifyReply {
  const { status, headers, body } = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`A response has no status ${status}`);
  if (operation.response.media && sendAs(request, reply, result, operation)) return reply;
  // A string is JSON from the database.
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  if (sent === undefined && body !== undefined) throw new Error('The body of a response is not JSON');
  const checked = headers && checkHeaders(headers);
  reply.code(status);
  if (checked) reply.headers(checked);
  return sent === undefined ? reply.send() : reply.type(JSON_TYPE).send(sent);
}
