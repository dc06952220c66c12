import type { IncomingMessage } from 'node:http';
import { checkMedia, decodeUtf8 } from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { Handler } from '../api/handler.ts';
import type { Contract } from '../contract.ts';
import { malformed } from '../errors.ts';
import { bytesOf, type Incoming, incoming } from '../http/incoming.ts';
import { registerForms } from '../http/multipart.ts';
import { timeOf } from './1-arrival.ts';

interface BodyOptions {
  operations: Contract['operations'];
  handlers: Record<string, Handler>;
}

/**
 * 6. A body is read if it has the media type of its operation. Any other media type, or none, is 415. The plugin of step 7 parses JSON and
 * url-encoded forms. A request that waits for its body does not count as work, and may be refused (503) after it.
 */
export const body = plugin(
  async (app: FastifyInstance, { operations, handlers }: BodyOptions) => {
    // Node.js has one limit for all requests.
    for (const { id, body } of Object.values(operations))
      if (body && handlers[id]?.isStream)
        app.server.requestTimeout = Math.max(app.server.requestTimeout, timeOf(body.max ?? 0));
    app.addHook('preParsing', ({ headers, raw }, reply, _payload, done) => {
      app.requests.rest(raw.state);
      // The client waits for `100 Continue`, which HTTP/1.0 does not have.
      if (headers.expect !== undefined && raw.httpVersion !== '1.0') reply.raw.writeContinue();
      done();
    });
    const otherThanJson = Object.values(operations).flatMap(({ body }) => body?.media ?? []);
    const bytesAndTexts = otherThanJson.filter(({ kind }) => kind === 'bytes' || kind === 'text');
    app.removeAllContentTypeParsers();
    for (const type of new Set(bytesAndTexts.map(({ type }) => type))) app.addContentTypeParser(type, readBytes);
    if (otherThanJson.some(({ kind }) => kind === 'parts')) await registerForms(app);
    // The failure names the type of the operation.
    if (otherThanJson.length > 0) app.addContentTypeParser('*', async (request: FastifyRequest) => checkMedia(request));
    app.addHook('preValidation', ({ raw }, _reply, done) => done(app.requests.work(raw.state)));
  },
  { name: 'body', dependencies: ['limits'] },
);

/** Reads bytes or a text, unless the handler does. */
async function readBytes(request: FastifyRequest, payload: IncomingMessage): Promise<Incoming | Buffer | string> {
  const { bodyLimit, config } = request.routeOptions;
  checkMedia(request);
  if (Number(payload.headers['content-length']) > bodyLimit) throw malformed('FST_ERR_CTP_BODY_TOO_LARGE');
  if (config.isStream) return incoming(payload, bodyLimit);
  const bytes = await bytesOf(payload, bodyLimit);
  return config.operation?.body?.media?.kind === 'text' ? decodeUtf8(bytes) : bytes;
}
