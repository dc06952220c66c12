import { randomUUID } from 'node:crypto';
import { ApiError, isoTime, type Reader } from '@petstore-platform/server-runtime';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { read, write } from './api.ts';
import { requireTexts } from './failures.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { profile } from './profiles.ts';

type Db = Reader<GeneratedTables>;
export type Writer = Pick<Kysely<GeneratedTables>, 'insertInto'>;

/** The most articles of a response. */
const MOST = 100;

const missing = { missing: 'article not found' };

/** Articles as the caller sees them. */
const seen = (db: Db, me = '') =>
  db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.author')
    .select((eb) => [
      'slug',
      'title',
      'description',
      'tags as tagList',
      isoTime(eb.ref('created_at')).as('createdAt'),
      isoTime(eb.ref('updated_at')).as('updatedAt'),
      eb
        .exists(eb.selectFrom('favorites').whereRef('article', '=', 'articles.id').where('person', '=', me))
        .as('favorited'),
      eb
        .selectFrom('favorites')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('article', '=', 'articles.id')
        .$asScalar()
        .$notNull()
        .as('favoritesCount'),
      profile(me).as('author'),
    ]);

/** An article as the body of a response. */
export const one = (db: Db, slug: string, me?: string) =>
  db
    .selectFrom(seen(db, me).select('articles.body').where('slug', '=', slug).as('article'))
    .select((eb) => eb.fn.toJson('article').as('article'));

/** The newest articles, and how many there are. */
export function list(db: Db, where: Expression<SqlBool>[], { limit, offset = 0 }: Part, me?: string) {
  const found = seen(db, me).where((eb) => eb.and(where));
  const part = found.orderBy('articles.id', 'desc').limit(Math.min(limit, MOST)).offset(offset);
  const count = db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.and(where));
  return db.selectNoFrom([jsonArrayFrom(part).as('articles'), sql<number>`(${count})`.as('articlesCount')]);
}
interface Part {
  limit: number;
  offset?: number | undefined;
}

const eb = expressionBuilder<GeneratedTables, 'articles'>();

/** Conditions of articles. */
export const isFollowed = (me: string) =>
  eb('author', 'in', eb.selectFrom('follows').select('followed').where('follower', '=', me));
export const hasTag = (tag: string) => sql<boolean>`articles.tags @> array[${tag}]`;
const idOf = (username: string) => eb.selectFrom('users').select('users.id').where('username', '=', username);

const GetArticles = read(
  'GetArticles',
  { tag: true, author: true, favorited: true, offset: true },
  ({ query: { tag, author, favorited, ...part } }, db, { row, caller }) => {
    const where: Expression<SqlBool>[] = [];
    if (tag !== undefined) where.push(hasTag(tag));
    if (author !== undefined) where.push(sql<boolean>`articles.author = (${idOf(author)})`);
    if (favorited !== undefined)
      where.push(
        eb.exists(
          eb.selectFrom('favorites').whereRef('article', '=', 'articles.id').where('person', '=', idOf(favorited)),
        ),
      );
    return row(list(db, where, part, caller.owner));
  },
);

const GetArticlesFeed = read('GetArticlesFeed', { offset: true }, ({ query }, db, { row, caller: { owner = '' } }) => {
  return row(list(db, [isFollowed(owner)], query, owner));
});

const GetArticle = read('GetArticle', ({ path: { slug } }, db, { row, caller }) =>
  row(one(db, slug, caller.owner), missing),
);

/** The tags of an article are a set. */
const sorted = (tags: string[]) => [...new Set(tags)].sort();

const slugOf = (title: string) =>
  `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${randomUUID().slice(0, 8)}`.replace(/^-/, '');

const CreateArticle = write(
  'CreateArticle',
  { article: true },
  async ({ body: { article } }, db, { row, caller: { owner = '' } }) => {
    const { title, description, body, tagList = [] } = article;
    requireTexts({ title, description, body });
    const slug = slugOf(title);
    const values = { slug, author: owner, title, description, body, tags: sorted(tagList) };
    await db.insertInto('articles').values(values).execute();
    return row(one(db, slug, owner));
  },
);

/** @throws ApiError if the caller has not written it */
async function requireOwn(db: Db, slug: string, owner?: string): Promise<void> {
  const article = await db.selectFrom('articles').select('author').where('slug', '=', slug).executeTakeFirst();
  if (!article) throw new ApiError(404, missing.missing);
  if (article.author !== owner) throw new ApiError(403, 'article forbidden');
}

const UpdateArticle = write(
  'UpdateArticle',
  { article: true },
  async ({ path: { slug }, body: { article } }, db, { row, caller: { owner } }) => {
    const { title, description, body, tagList } = article;
    requireTexts({ title, description, body });
    await requireOwn(db, slug, owner);
    const next = title === undefined ? slug : slugOf(title);
    await db
      .updateTable('articles')
      .set({
        slug: next,
        title,
        description,
        body,
        tags: tagList && sorted(tagList),
        updated_at: sql`clock_timestamp()`,
      })
      .where('slug', '=', slug)
      .execute();
    return row(one(db, next, owner));
  },
);

const DeleteArticle = write('DeleteArticle', async ({ path: { slug } }, db, { caller }) => {
  await requireOwn(db, slug, caller.owner);
  await db.deleteFrom('articles').where('slug', '=', slug).execute();
  return { status: 204 };
});

/** The caller's favorite, once. */
export const favorite = (db: Writer, slug: string, owner: string) =>
  db
    .insertInto('favorites')
    .columns(['article', 'person'])
    .expression((eb) =>
      eb
        .selectFrom('articles')
        .select(['id', eb.val(owner).as('person')])
        .where('slug', '=', slug),
    )
    .onConflict((conflict) => conflict.doNothing());

const CreateArticleFavorite = write(
  'CreateArticleFavorite',
  async ({ path: { slug } }, db, { row, caller: { owner = '' } }) => {
    await favorite(db, slug, owner).execute();
    return row(one(db, slug, owner), missing);
  },
);

const DeleteArticleFavorite = write(
  'DeleteArticleFavorite',
  async ({ path: { slug } }, db, { row, caller: { owner = '' } }) => {
    await db
      .deleteFrom('favorites')
      .using('articles')
      .whereRef('articles.id', '=', 'article')
      .where('slug', '=', slug)
      .where('person', '=', owner)
      .execute();
    return row(one(db, slug, owner), missing);
  },
);

const GetTags = read('GetTags', (_, db, { row }) =>
  row(
    db
      .selectFrom(db.selectFrom('articles').select(sql<string>`unnest(tags)`.as('tag')).distinct().as('tags'))
      .select((eb) => eb.fn.coalesce(eb.fn.agg<string[]>('array_agg', ['tag']), sql<string[]>`'{}'`).as('tags')),
  ),
);

export const articles = {
  GetArticles,
  GetArticlesFeed,
  GetArticle,
  CreateArticle,
  UpdateArticle,
  DeleteArticle,
  CreateArticleFavorite,
  DeleteArticleFavorite,
  GetTags,
};
