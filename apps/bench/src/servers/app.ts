/** RealWorld's app: its users, their tokens, its rows and its requests. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { Client } from 'pg';
import { CONDUIT } from './start.ts';
import type { Request } from './workloads.ts';

/** As many as it takes so that none reaches the limits of a plan. */
const USERS = 400;
const ARTICLES = 2_000;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The key of the server with which the tokens for it are signed. */
export const JWKS = JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256' }] });

/** A token of a user: of ES256 for our server, of HS256 for the plain one, which verifies faster. */
export function tokenOf(server: string, id: number): string {
  const [issuer, now, isOurs] = ['http://localhost/conduit', Math.floor(Date.now() / 1_000), server === CONDUIT];
  const claims = { iss: issuer, aud: 'conduit', sub: `user-${id % USERS}`, iat: now, exp: now + 86_400 };
  const head = isOurs ? { alg: 'ES256', kid: 'bench' } : { alg: 'HS256' };
  const text = [head, claims].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url')).join('.');
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = isOurs
    ? sign('sha256', Buffer.from(text), key)
    : createHmac('sha256', 'secret').update(text).digest();
  return `${text}.${signature.toString('base64url')}`;
}

/** Adds users, articles with five favorites and three comments each, and followers. */
export async function fill(client: Client): Promise<void> {
  await client.query(
    `insert into users (id, username, email, password)
       select 'user-' || n, 'name-' || n, n || '@example.com', 'none' from generate_series(0, ${USERS - 1}) as n;
     insert into follows select 'user-' || n, 'user-' || (n + m) % ${USERS} from generate_series(0, ${USERS - 1}) as n, generate_series(1, 5) as m;
     insert into articles (slug, author, title, description, body, tags)
       select 'article-' || n, 'user-' || n % ${USERS}, 'Article ' || n, 'It is one of many.', repeat('Words of it. ', 40),
         array['tag-' || n % 50, 'tag-' || 50 + n % 7] from generate_series(1, ${ARTICLES}) as n;
     insert into favorites select id, 'user-' || (id + m) % ${USERS} from articles, generate_series(1, 5) as m;
     insert into comments (article, author, body)
       select id, 'user-' || (id + m) % ${USERS}, 'Thank you so much!' from articles, generate_series(1, 3) as m`,
  );
  await client.query('vacuum analyze');
}

const place = (id: number) => `/api/articles/article-${1 + (id % ARTICLES)}`;

export const USES: Record<string, (id: number) => Partial<Request>> = {
  'articles of all': () => ({ path: '/api/articles' }),
  'articles with a tag': (id) => ({ path: `/api/articles?tag=tag-${id % 50}` }),
  'articles of those whom the caller follows': () => ({ path: '/api/articles/feed' }),
  'comments on an article': (id) => ({ path: `${place(id)}/comments` }),
  'adding a comment': (id) => ({
    method: 'POST',
    path: `${place(id)}/comments`,
    body: JSON.stringify({ comment: { body: 'Thank you so much!' } }),
  }),
  'adding a favorite': (id) => ({ method: 'POST', path: `${place(id)}/favorite` }),
};
