// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/** Base URLs of the environments. */
export const environments = {
  production: 'https://conduit.example/api',
} as const;

/** How each operation is sent. */
export const operations = {
  Login: { method: 'POST', path: '/users/login', body: 'required', result: 'object' },
  CreateUser: { method: 'POST', path: '/users', body: 'required', result: 'object' },
  GetCurrentUser: { method: 'GET', path: '/user', result: 'object' },
  UpdateCurrentUser: { method: 'PUT', path: '/user', body: 'required', result: 'object' },
  GetProfileByUsername: { method: 'GET', path: '/profiles/{username}', parameters: { username: 'path' }, result: 'object', notFound: true },
  FollowUserByUsername: { method: 'POST', path: '/profiles/{username}/follow', parameters: { username: 'path' }, result: 'object', notFound: true, idempotencyKey: true },
  UnfollowUserByUsername: { method: 'DELETE', path: '/profiles/{username}/follow', parameters: { username: 'path' }, result: 'object', notFound: true, idempotencyKey: true },
  GetArticlesFeed: { method: 'GET', path: '/articles/feed', parameters: { offset: 'query', limit: 'query' }, result: 'object' },
  GetArticles: { method: 'GET', path: '/articles', parameters: { tag: 'query', author: 'query', favorited: 'query', offset: 'query', limit: 'query' }, result: 'object' },
  CreateArticle: { method: 'POST', path: '/articles', body: 'required', result: 'object', idempotencyKey: true },
  GetArticle: { method: 'GET', path: '/articles/{slug}', parameters: { slug: 'path' }, result: 'object', notFound: true },
  UpdateArticle: { method: 'PUT', path: '/articles/{slug}', parameters: { slug: 'path' }, body: 'required', result: 'object', notFound: true },
  DeleteArticle: { method: 'DELETE', path: '/articles/{slug}', parameters: { slug: 'path' }, notFound: true, idempotencyKey: true },
  GetArticleComments: { method: 'GET', path: '/articles/{slug}/comments', parameters: { slug: 'path' }, result: 'object', notFound: true },
  CreateArticleComment: { method: 'POST', path: '/articles/{slug}/comments', parameters: { slug: 'path' }, body: 'required', result: 'object', notFound: true, idempotencyKey: true },
  DeleteArticleComment: { method: 'DELETE', path: '/articles/{slug}/comments/{id}', parameters: { slug: 'path', id: 'path' }, notFound: true, idempotencyKey: true },
  CreateArticleFavorite: { method: 'POST', path: '/articles/{slug}/favorite', parameters: { slug: 'path' }, result: 'object', notFound: true, idempotencyKey: true },
  DeleteArticleFavorite: { method: 'DELETE', path: '/articles/{slug}/favorite', parameters: { slug: 'path' }, result: 'object', notFound: true, idempotencyKey: true },
  GetTags: { method: 'GET', path: '/tags', result: 'object' },
} as const;
