/** A plain server of Fastify and Kysely, with the statements of examples/realworld. */
import { createHmac } from 'node:crypto';
import { favorite, list, one } from '@repo/realworld/articles';
import { commented, commentsOn } from '@repo/realworld/comments';
import fastify, { type FastifyRequest } from 'fastify';
import { Kysely, PostgresDialect, sql } from 'kysely';
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

/** The values of a query that the example builds once, and this server for each request. */
const valuesOf = (values: Record<string, unknown>) => ((name: string) => sql`${values[name]}`) as never;

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
  const values = valuesOf({ ...request.query, me: userOf(request) });
  return list(db, request.query.tag === undefined ? [] : ['tag'], values).executeTakeFirst();
});

app.get<Route>('/api/articles/feed', { schema: { querystring } }, (request, reply) => {
  const me = userOf(request);
  if (!me) return reply.code(401).send({});
  return list(db, ['follower'], valuesOf({ ...request.query, me, follower: me })).executeTakeFirst();
});

const path = '/api/articles/:slug/comments';
app.get<Route>(path, async (request, reply) => {
  const found = await commentsOn(db, valuesOf({ ...request.params, me: userOf(request) })).executeTakeFirst();
  return found ?? reply.code(404).send({});
});

const text = { type: 'object', required: ['body'], properties: { body: { type: 'string', minLength: 1 } } };
const body = { type: 'object', required: ['comment'], properties: { comment: text } };
app.post<Route>(path, { schema: { body } }, async (request, reply) => {
  const me = userOf(request);
  if (!me) return reply.code(401).send({});
  const added = await commented(db, valuesOf({ ...request.params, ...request.body.comment, me })).executeTakeFirst();
  return reply.code(added ? 201 : 404).send(added ?? {});
});

app.post<Route>('/api/articles/:slug/favorite', async (request, reply) => {
  const me = userOf(request);
  if (!me) return reply.code(401).send({});
  const values = valuesOf({ ...request.params, me });
  await favorite(db, values).execute();
  return (await one(db, values).executeTakeFirst()) ?? reply.code(404).send({});
});

await app.listen({ port, host: '127.0.0.1' });
