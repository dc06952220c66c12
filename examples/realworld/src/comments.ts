import { ApiError, isoTime, type Reader, type Value } from '@petstore-platform/server-runtime';
import { type Expression, expressionBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { compiled, read, write } from './api.ts';
import { missing, type Place, type Writer } from './articles.ts';
import { requireTexts } from './failures.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { profile } from './profiles.ts';

/** A comment as the caller sees it, for queries of the table `comments`. It is never changed. */
function comment(value: (name: 'me') => Expression<string>) {
  const { ref, selectFrom } = expressionBuilder<GeneratedTables, 'comments'>();
  const createdAt = isoTime(ref('comments.created_at'));
  const author = selectFrom('users')
    .select(profile(value('me')).as('author'))
    .whereRef('users.id', '=', 'comments.author');
  return jsonBuildObject({
    id: ref('comments.id'),
    body: ref('comments.body'),
    createdAt,
    updatedAt: createdAt,
    author: author.$asScalar().$notNull(),
  });
}

/** The comments on an article, the newest first. */
export const commentsOn = (db: Reader<GeneratedTables>, value: Value<Place>) =>
  db
    .selectFrom('articles')
    .leftJoin('comments', 'comments.article', 'articles.id')
    .select(({ fn }) =>
      fn
        .coalesce(
          fn.jsonAgg(comment(value)).orderBy('comments.id', 'desc').filterWhere('comments.id', 'is not', null),
          sql<[]>`'[]'`,
        )
        .as('comments'),
    )
    .where('slug', '=', value('slug'))
    .groupBy('articles.id');
const list = compiled(commentsOn);

const GetArticleComments = read('GetArticleComments', ({ path: { slug } }, db, { row, caller: { owner: me = '' } }) =>
  row(list(db, { slug, me }), missing),
);

/** A new comment on an article. */
export const commented = (db: Writer, value: Value<Place & { body: string }>) =>
  db
    .insertInto('comments')
    .columns(['article', 'author', 'body'])
    .expression((eb) =>
      eb
        .selectFrom('articles')
        .select(['id', value('me').as('author'), value('body').as('body')])
        .where('slug', '=', value('slug')),
    )
    .returning(comment(value).as('comment'));
const add = compiled(commented);

const CreateArticleComment = write(
  'CreateArticleComment',
  { comment: true },
  ({ path: { slug }, body: { comment } }, db, { row, caller: { owner: me = '' } }) => {
    requireTexts({ body: comment.body });
    return row(add(db, { body: comment.body, slug, me }), missing);
  },
);

const DeleteArticleComment = write('DeleteArticleComment', async ({ path: { slug, id } }, db, { caller }) => {
  const article = await db.selectFrom('articles').select('id').where('slug', '=', slug).executeTakeFirst();
  if (!article) throw new ApiError(404, missing.missing);
  const found = db.selectFrom('comments').select('author').where('id', '=', id).where('article', '=', article.id);
  const comment = await found.executeTakeFirst();
  if (!comment) throw new ApiError(404, 'comment not found');
  if (comment.author !== caller.owner) throw new ApiError(403, 'comment forbidden');
  await db.deleteFrom('comments').where('id', '=', id).execute();
  return { status: 204 };
});

export const comments = { GetArticleComments, CreateArticleComment, DeleteArticleComment };
