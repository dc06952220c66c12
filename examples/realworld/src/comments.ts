import { ApiError, isoTime, type Reader } from '@petstore-platform/server-runtime';
import { expressionBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { read, write } from './api.ts';
import type { Writer } from './articles.ts';
import { requireTexts } from './failures.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { profile } from './profiles.ts';

const missing = { missing: 'article not found' };

/** A comment as the caller sees it, for queries of the table `comments`. It is never changed. */
function comment(me?: string) {
  const { ref, selectFrom } = expressionBuilder<GeneratedTables, 'comments'>();
  const createdAt = isoTime(ref('comments.created_at'));
  const author = selectFrom('users').select(profile(me).as('author')).whereRef('users.id', '=', 'comments.author');
  return jsonBuildObject({
    id: ref('comments.id'),
    body: ref('comments.body'),
    createdAt,
    updatedAt: createdAt,
    author: author.$asScalar().$notNull(),
  });
}

/** The comments on an article, the newest first. */
export const commentsOn = (db: Reader<GeneratedTables>, slug: string, me?: string) =>
  db
    .selectFrom('articles')
    .leftJoin('comments', 'comments.article', 'articles.id')
    .select(({ fn }) =>
      fn
        .coalesce(
          fn.jsonAgg(comment(me)).orderBy('comments.id', 'desc').filterWhere('comments.id', 'is not', null),
          sql<[]>`'[]'`,
        )
        .as('comments'),
    )
    .where('slug', '=', slug)
    .groupBy('articles.id');

const GetArticleComments = read('GetArticleComments', ({ path: { slug } }, db, { row, caller }) =>
  row(commentsOn(db, slug, caller.owner), missing),
);

/** A new comment on an article. */
export const commented = (db: Writer, slug: string, author: string, body: string) =>
  db
    .insertInto('comments')
    .columns(['article', 'author', 'body'])
    .expression((eb) =>
      eb
        .selectFrom('articles')
        .select(['id', eb.val(author).as('author'), eb.val(body).as('body')])
        .where('slug', '=', slug),
    )
    .returning(comment(author).as('comment'));

const CreateArticleComment = write(
  'CreateArticleComment',
  { comment: true },
  ({ path: { slug }, body }, db, { row, caller: { owner = '' } }) => {
    requireTexts({ body: body.comment.body });
    return row(commented(db, slug, owner, body.comment.body), missing);
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
