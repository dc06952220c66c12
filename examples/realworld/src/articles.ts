import { randomUUID } from 'node:crypto';
import { ApiError, type Caller, isoTime, type Reader, type Value } from '@petstore-platform/server-runtime';
import { type Expression, expressionBuilder, type Kysely, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { compiled, read, write } from './api.ts';
import { requireTexts } from './failures.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { profile } from './profiles.ts';

type Db = Reader<GeneratedTables>;
type Text = Expression<string | null>;
export type Writer = Pick<Kysely<GeneratedTables>, 'insertInto'>;
export type Place = { slug: string; me: string };

/** The most articles of a response. */
const MOST_ARTICLES = 100;

export const missing = { missing: 'article not found' };

/** Articles as the caller sees them. */
const seen = (db: Db, me: Expression<string>) =>
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
export const one = (db: Db, value: Value<Place>) =>
  db
    .selectFrom(seen(db, value('me')).select('articles.body').where('slug', '=', value('slug')).as('article'))
    .select((eb) => eb.fn.toJson('article').as('article'));
const articleOf = compiled(one);

const eb = expressionBuilder<GeneratedTables, 'articles'>();
const idOf = (name: Text) => eb.selectFrom('users').select('users.id').where('username', '=', name);

/** Conditions of articles. */
const conditions = {
  tag: (tag: Text) => sql<boolean>`articles.tags @> array[${tag}]`,
  author: (name: Text) => sql<boolean>`articles.author = (${idOf(name)})`,
  favorited: (name: Text) =>
    eb.exists(eb.selectFrom('favorites').whereRef('article', '=', 'articles.id').where('person', '=', idOf(name))),
  follower: (me: Text) => eb('author', 'in', eb.selectFrom('follows').select('followed').where('follower', '=', me)),
};
type Name = keyof typeof conditions;
type List = { [Each in Name]?: string | undefined } & { limit: number; offset: number; me: string };

/** The newest articles with these conditions, and how many there are. */
export function list(db: Db, names: Name[], value: Value<List>) {
  const where = names.map((name) => conditions[name](value(name)));
  const found = seen(db, value('me')).where((eb) => eb.and(where));
  const part = found.orderBy('articles.id', 'desc').limit(value('limit')).offset(value('offset'));
  const count = db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.and(where));
  return db.selectNoFrom([jsonArrayFrom(part).as('articles'), sql<number>`(${count})`.as('articlesCount')]);
}
const listOf = (names: Name[]) => compiled((db, value: Value<List>) => list(db, names, value));

/** Lists by the names of their conditions. */
const lists = new Map<string, ReturnType<typeof listOf>>();

type Query = Omit<List, 'offset' | 'me'> & { offset?: number | undefined };

function listed(db: Parameters<typeof articleOf>[0], { owner: me = '' }: Caller, { offset = 0, ...query }: Query) {
  const names = (Object.keys(conditions) as Name[]).filter((name) => query[name] !== undefined);
  const find = lists.get(`${names}`) ?? listOf(names);
  lists.set(`${names}`, find);
  return find(db, { ...query, limit: Math.min(query.limit, MOST_ARTICLES), offset, me });
}

const GetArticles = read(
  'GetArticles',
  { tag: true, author: true, favorited: true, offset: true },
  ({ query }, db, { row, caller }) => row(listed(db, caller, query)),
);

const GetArticlesFeed = read('GetArticlesFeed', { offset: true }, ({ query }, db, { row, caller }) =>
  row(listed(db, caller, { ...query, follower: caller.owner ?? '' })),
);

const GetArticle = read('GetArticle', ({ path: { slug } }, db, { row, caller: { owner: me = '' } }) =>
  row(articleOf(db, { slug, me }), missing),
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
    return row(articleOf(db, { slug, me: owner }));
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
  async ({ path: { slug }, body: { article } }, db, { row, caller: { owner = '' } }) => {
    const { title, description, body, tagList } = article;
    requireTexts({ title, description, body });
    await requireOwn(db, slug, owner);
    const next = title === undefined ? slug : slugOf(title);
    const changes = { slug: next, title, description, body, tags: tagList && sorted(tagList) };
    const update = db.updateTable('articles').set({ ...changes, updated_at: sql`clock_timestamp()` });
    await update.where('slug', '=', slug).execute();
    return row(articleOf(db, { slug: next, me: owner }));
  },
);

const DeleteArticle = write('DeleteArticle', async ({ path: { slug } }, db, { caller }) => {
  await requireOwn(db, slug, caller.owner);
  await db.deleteFrom('articles').where('slug', '=', slug).execute();
  return { status: 204 };
});

/** The caller's favorite, once. */
export const favorite = (db: Writer, value: Value<Place>) =>
  db
    .insertInto('favorites')
    .columns(['article', 'person'])
    .expression((eb) =>
      eb
        .selectFrom('articles')
        .select(['id', value('me').as('person')])
        .where('slug', '=', value('slug')),
    )
    .onConflict((conflict) => conflict.doNothing());
const addFavorite = compiled(favorite);

const CreateArticleFavorite = write(
  'CreateArticleFavorite',
  async ({ path: { slug } }, db, { row, caller: { owner: me = '' } }) => {
    await db.executeQuery(addFavorite(db, { slug, me }));
    return row(articleOf(db, { slug, me }), missing);
  },
);

const DeleteArticleFavorite = write(
  'DeleteArticleFavorite',
  async ({ path: { slug } }, db, { row, caller: { owner: me = '' } }) => {
    const article = db.selectFrom('articles').select('id').where('slug', '=', slug);
    await db.deleteFrom('favorites').where('article', '=', article).where('person', '=', me).execute();
    return row(articleOf(db, { slug, me }), missing);
  },
);

const GetTags = read('GetTags', (_, db, { row }) =>
  row(db.selectNoFrom(sql<string[]>`array(select distinct unnest(tags) from articles)`.as('tags'))),
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
