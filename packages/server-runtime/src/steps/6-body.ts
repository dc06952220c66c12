import type { IncomingMessage } from 'node:http';
import { checkMedia, decodeUtf8, parseForm, parseJson } from '@petstore-platform/openapi-validation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { Handler } from '../api/handler.ts';
import { type Contract, JSON_BODY, type Media } from '../contract.ts';
import { malformed } from '../errors.ts';
import { Bytes, Incoming } from '../http/incoming.ts';
import { registerForms } from '../http/multipart.ts';
import { timeOf } from './1-arrival.ts';

interface BodyOptions {
  operations: Contract['operations'];
  handlers: Record<string, Handler>;
}

/**
 * 6. A body is parsed if it has the media type of its operation; every other one, and a body without one, is 415. A request that waits for
 * its body does not count as work, and may be refused (503) after it.
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
    app.removeAllContentTypeParsers();
    const others = Object.values(operations).flatMap(({ body }) => body?.media ?? []);
    for (const [type, media] of new Map([JSON_BODY, ...others].map((one) => [one.type, one])))
      if (media.kind !== 'parts') app.addContentTypeParser(type, parserOf(media));
    if (others.some(({ kind }) => kind === 'parts')) await registerForms(app);
    // The failure names the type of the operation.
    if (others.length > 0) app.addContentTypeParser('*', async (request: FastifyRequest) => checkMedia(request));
    app.addHook('preValidation', ({ raw }, _reply, done) => done(app.requests.work(raw.state)));
  },
  { name: 'body', dependencies: ['limits'] },
);

const parserOf =
  ({ kind }: Media) =>
  async (request: FastifyRequest, payload: IncomingMessage) => {
    const { routeOptions } = request;
    checkMedia(request);
    const { bodyLimit, config } = routeOptions;
    if (Number(payload.headers['content-length']) > bodyLimit) throw malformed('FST_ERR_CTP_BODY_TOO_LARGE');
    if (config.isStream && (kind === 'bytes' || kind === 'text')) return new Incoming(payload, bodyLimit);
    const body = await readBody(payload, bodyLimit);
    if (kind === 'form') return parseForm(body, request);
    if (kind === 'text') return decodeUtf8(body);
    return kind === 'bytes' ? body : parseJson(body, request);
  };

/**
 * Reads a body into one buffer, where Fastify keeps its chunks.
 *
 * @throws ApiError 413 for more than `limit` bytes
 */
function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new Bytes(limit);
  payload.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length > limit) reject(malformed('FST_ERR_CTP_BODY_TOO_LARGE'));
    else body.add(chunk);
  });
  payload.on('end', () => resolve(body.all));
  payload.on('error', reject);
  return promise;
}
