/** A plain server of Fastify and Kysely, with the statements of examples/realworld. */
import { createHmac } from 'node:crypto';
import { favorite, hasTag, isFollowed, list, one } from '@repo/realworld/articles';
import { commented, commentsOn } from '@repo/realworld/comments';
import fastify, { type FastifyRequest } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import { pool, port } from './pets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tables of the example
const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }) });
const app = fastify();

/** The subject of a token of HS256. Undefined without one. */
function userOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const [head = '', claims = '', signature] = authorization.slice(authorization.indexOf(' ') + 1).split('.');
  if (createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url') !== signature) return undefined;
  const { sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return exp * 1_000 > Date.now() ? sub : undefined;
}

interface Route {
  Params: { slug: string };
  Querystring: { tag?: string; limit: number; offset: number };
  Body: { comment: { body: string } };
}

const page = {
  limit: { type: 'integer', minimum: 1, default: 20 },
  offset: { type: 'integer', minimum: 0, default: 0 },
};
const querystring = { type: 'object', properties: { tag: { type: 'string' }, ...page } };
app.get<Route>('/api/articles', { schema: { querystring } }, (request) => {
  const { tag, ...part } = request.query;
  return list(db, tag === undefined ? [] : [hasTag(tag)], part, userOf(request)).executeTakeFirst();
});

app.get<Route>('/api/articles/feed', { schema: { querystring } }, (request, reply) => {
  const user = userOf(request);
  if (!user) return reply.code(401).send({});
  return list(db, [isFollowed(user)], request.query, user).executeTakeFirst();
});

const path = '/api/articles/:slug/comments';
app.get<Route>(path, async (request, reply) => {
  const found = await commentsOn(db, request.params.slug, userOf(request)).executeTakeFirst();
  return found ?? reply.code(404).send({});
});

const text = { type: 'object', required: ['body'], properties: { body: { type: 'string', minLength: 1 } } };
const body = { type: 'object', required: ['comment'], properties: { comment: text } };
app.post<Route>(path, { schema: { body } }, async (request, reply) => {
  const user = userOf(request);
  if (!user) return reply.code(401).send({});
  const added = await commented(db, request.params.slug, user, request.body.comment.body).executeTakeFirst();
  return reply.code(added ? 201 : 404).send(added ?? {});
});

app.post<Route>('/api/articles/:slug/favorite', async (request, reply) => {
  const user = userOf(request);
  if (!user) return reply.code(401).send({});
  const { slug } = request.params;
  await favorite(db, slug, user).execute();
  return (await one(db, slug, user).executeTakeFirst()) ?? reply.code(404).send({});
});

await app.listen({ port, host: '127.0.0.1' });
