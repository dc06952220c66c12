import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { HandlerResult } from '../api/handler.ts';
import { type ByteStream, isStream, mediaIn } from '../api/response-body.ts';
import { BEARER, isAuthorization } from '../caller.ts';
import { type Contract, JSON_BODY, type Media, type Operation } from '../contract.ts';
import { checkHeaders } from '../errors.ts';
import { logFailure } from '../failure-log.ts';

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

/** Headers of a response that is not JSON: a browser that shows it runs nothing in it. */
const PASSIVE = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

/** Sends the response of a handler. @throws Error for a status, a header or a body that cannot be sent */
export function answer(request: FastifyRequest, reply: FastifyReply, result: HandlerResult, operation: Operation) {
  const { status, headers, body } = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`A response has no status ${status}`);
  const { response } = operation;
  const { type, kind } = (response.media && mediaIn(response, result)) ?? JSON_BODY;
  const sent = body === undefined || isStream(body) ? body : sentBody(kind, body);
  const all = kind === 'json' || body === undefined ? headers : { ...PASSIVE, ...headers };
  reply.code(status);
  if (all) reply.headers(checkHeaders(all));
  if (sent === undefined) return reply.send();
  reply.type(kind === 'bytes' ? type : `${type}; charset=utf-8`);
  return isStream(sent) ? sendStream(request, reply, sent) : reply.send(sent);
}

/** A body as it is sent. @param body - as `withBodies` gives it. A string is JSON, also that of a text */
function sentBody(kind: Media['kind'], body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  if (json === undefined) throw new Error('The body of a response is not JSON');
  if (kind === 'json') return json;
  const text: string = JSON.parse(json);
  return kind === 'text' ? text : Buffer.from(text, 'base64');
}

/** Sends a stream, no faster than the client reads. A failure of it ends the connection, as the status is sent. */
function sendStream(request: FastifyRequest, reply: FastifyReply, body: ByteStream): FastifyReply {
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  stream.on('error', (error) => {
    if (!reply.raw.destroyed) logFailure(request.server.log, request.raw.state, error);
  });
  // The client is gone, or wants to know the headers only.
  if (request.method === 'HEAD' || reply.raw.destroyed) {
    stream.destroy();
    return reply.send(Readable.from([]));
  }
  return reply.send(stream);
}
