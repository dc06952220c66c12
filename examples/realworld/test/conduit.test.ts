import { expect, test } from 'vitest';
import { temporaryServer } from './support.ts';

const password = 'correct horse';

/** A server, and people who have registered. */
async function people<Name extends string>(...names: Name[]) {
  const server = await temporaryServer();
  const nobody = server.clientOf();
  const clients = names.map(async (username) => {
    const { user } = await nobody.CreateUser({ user: { username, email: `${username}@example.com`, password } });
    return [username, server.clientOf(user.token)] as const;
  });
  const all = Object.fromEntries(await Promise.all(clients)) as Record<Name, typeof nobody>;
  return { ...server, nobody, ...all };
}

/** A failure with its messages by field. */
const failure = (status: number, errors: object) => ({ status, body: { errors } });

test('people register, log in and change themselves', async () => {
  const { nobody, ann, clientOf } = await people('ann', 'bob');
  const email = 'ann@example.com';
  const { user } = await nobody.Login({ user: { email, password } });
  expect(user).toEqual({ username: 'ann', email, bio: null, image: null, token: expect.any(String) });
  expect((await clientOf(user.token).GetCurrentUser()).user.username).toBe('ann');
  await ann.UpdateCurrentUser({ user: { bio: 'I write.', image: '', password: 'battery staple' } });
  expect((await ann.GetCurrentUser()).user).toMatchObject({ bio: 'I write.', image: null });
  await expect(nobody.Login({ user: { email, password } })).rejects.toMatchObject(
    failure(401, { credentials: ['invalid'] }),
  );
  const taken = { username: 'bob', email: 'other@example.com', password };
  await expect(nobody.CreateUser({ user: taken })).rejects.toMatchObject(
    failure(409, { username: ['has already been taken'] }),
  );
  await expect(ann.UpdateCurrentUser({ user: { email: 'bob@example.com' } })).rejects.toMatchObject(
    failure(422, { email: ['has already been taken'] }),
  );
});

test('people write articles, which others read by tag, author, favorite and feed', async () => {
  const { nobody, ann, bob } = await people('ann', 'bob');
  const draft = { title: 'How to train your dragon', description: 'Ever wonder how?', body: 'Very carefully.' };
  const { article } = await ann.CreateArticle({ article: { ...draft, tagList: ['training', 'dragons'] } });
  const { slug } = article;
  const author = { username: 'ann', bio: null, image: null, following: false };
  const rest = { favorited: false, favoritesCount: 0, author };
  expect(article).toMatchObject({ ...draft, ...rest, tagList: ['dragons', 'training'] });
  expect(slug).toMatch(/^how-to-train-your-dragon-[\da-f]{8}$/);
  expect(article.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  const { article: second } = await ann.CreateArticle({ article: { ...draft, tagList: [] } });
  expect((await nobody.GetTags()).tags.toSorted()).toEqual(['dragons', 'training']);

  await bob.CreateArticleFavorite({ slug });
  expect((await bob.CreateArticleFavorite({ slug })).article).toMatchObject({ favorited: true, favoritesCount: 1 });
  const { profile } = await bob.FollowUserByUsername({ username: 'ann' });
  expect(profile.following).toBe(true);
  const slugsOf = async (list: Promise<{ articles: { slug: string }[]; articlesCount: number }>) => {
    const { articles, articlesCount } = await list;
    return [articlesCount, ...articles.map((each) => each.slug)];
  };
  expect(await slugsOf(nobody.GetArticles())).toEqual([2, second.slug, slug]);
  expect(await slugsOf(nobody.GetArticles({ limit: 1, offset: 1 }))).toEqual([2, slug]);
  expect(await slugsOf(nobody.GetArticles({ tag: 'dragons' }))).toEqual([1, slug]);
  expect(await slugsOf(nobody.GetArticles({ author: 'bob' }))).toEqual([0]);
  expect(await slugsOf(nobody.GetArticles({ favorited: 'bob' }))).toEqual([1, slug]);
  expect(await slugsOf(bob.GetArticlesFeed({ limit: 1 }))).toEqual([2, second.slug]);
  expect(await slugsOf(ann.GetArticlesFeed())).toEqual([0]);

  const { articles } = await bob.GetArticles({ tag: 'dragons' });
  const { body: _, ...shown } = article;
  expect(articles).toEqual([{ ...shown, favorited: true, favoritesCount: 1, author: { ...author, following: true } }]);
  expect((await bob.DeleteArticleFavorite({ slug })).article).toMatchObject({ favorited: false, favoritesCount: 0 });
  expect((await bob.UnfollowUserByUsername({ username: 'ann' })).profile.following).toBe(false);
  expect((await nobody.GetProfileByUsername({ username: 'ann' })).profile).toEqual(author);

  await expect(bob.UpdateArticle({ slug }, { article: { body: 'Mine.' } })).rejects.toMatchObject(
    failure(403, { article: ['forbidden'] }),
  );
  const { article: changed } = await ann.UpdateArticle({ slug }, { article: { title: 'Dragons', tagList: [] } });
  expect(changed).toMatchObject({ title: 'Dragons', body: draft.body, tagList: [], createdAt: article.createdAt });
  await ann.DeleteArticle({ slug: changed.slug });
  await expect(nobody.GetArticle({ slug: changed.slug })).rejects.toMatchObject(
    failure(404, { article: ['not found'] }),
  );
});

test('people comment articles', async () => {
  const { nobody, ann, bob } = await people('ann', 'bob');
  const { article } = await ann.CreateArticle({ article: { title: 'A', description: 'B', body: 'C' } });
  const { slug } = article;
  const first = await bob.CreateArticleComment({ slug }, { comment: { body: 'Thank you!' } });
  const second = await ann.CreateArticleComment({ slug }, { comment: { body: 'You are welcome.' } });
  expect(first.comment).toMatchObject({ body: 'Thank you!', author: { username: 'bob', following: false } });
  expect(await nobody.GetArticleComments({ slug })).toEqual({ comments: [second.comment, first.comment] });
  const { id } = first.comment;
  await expect(ann.DeleteArticleComment({ slug, id })).rejects.toMatchObject(failure(403, { comment: ['forbidden'] }));
  await bob.DeleteArticleComment({ slug, id });
  await expect(bob.DeleteArticleComment({ slug, id })).rejects.toMatchObject(failure(404, { comment: ['not found'] }));
  expect((await nobody.GetArticleComments({ slug })).comments).toHaveLength(1);
});

test('a failure says which fields are wrong', async () => {
  const { nobody, ann } = await people('ann');
  const article = { title: ' ', description: 'B', body: 'C' };
  await expect(ann.CreateArticle({ article })).rejects.toMatchObject({
    message: expect.stringContaining("title can't be blank"),
    errors: [{ pointer: '/body/title', message: "can't be blank" }],
  });
  await expect(ann.CreateArticle({ article })).rejects.toMatchObject(failure(422, { title: ["can't be blank"] }));
  await expect(nobody.CreateArticle({ article })).rejects.toMatchObject(failure(401, { token: ['is missing'] }));
  await expect(ann.UpdateCurrentUser({ user: { email: null as never } })).rejects.toMatchObject(
    failure(422, { email: ['must be a string'] }),
  );
  const comment = { body: 'Hello?' };
  await expect(ann.CreateArticleComment({ slug: 'none' }, { comment })).rejects.toMatchObject(
    failure(404, { article: ['not found'] }),
  );
});

test('a token comes after any word or none, and a request that does not fit is 422', async () => {
  const { origin, clientOf } = await temporaryServer();
  const { user } = await clientOf().CreateUser({ user: { username: 'ann', email: 'ann@example.com', password } });
  const statusOf = async (path: string, Authorization: string, init: RequestInit = {}) =>
    (await fetch(`${origin}${path}`, { headers: { Authorization, 'Content-Type': 'application/json' }, ...init }))
      .status;
  for (const word of ['Token ', 'token ', 'Bearer ', ''])
    expect(await statusOf('/api/user', word + user.token), word).toBe(200);
  for (const wrong of ['Token', 'Token  ', `Token a ${user.token}`, `${user.token} Token`])
    expect(await statusOf('/api/user', wrong), wrong).toBe(401);
  // A body that is no JSON does not fit, either. An unknown path is no operation.
  expect(await statusOf('/api/users', '', { method: 'POST', body: '{' })).toBe(422);
  for (const query of ['limit=0', '%']) expect(await statusOf(`/api/articles?${query}`, user.token)).toBe(422);
  expect(await statusOf('/api/%', '')).toBe(400);
});
