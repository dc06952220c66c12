// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/** The credentials that calls take. */
export const security = {
  Login: [],
  CreateUser: [],
  GetCurrentUser: [[['token', 'header', 'Authorization']]],
  UpdateCurrentUser: [[['token', 'header', 'Authorization']]],
  GetProfileByUsername: [[], [['token', 'header', 'Authorization']]],
  FollowUserByUsername: [[['token', 'header', 'Authorization']]],
  UnfollowUserByUsername: [[['token', 'header', 'Authorization']]],
  GetArticlesFeed: [[['token', 'header', 'Authorization']]],
  GetArticles: [[], [['token', 'header', 'Authorization']]],
  CreateArticle: [[['token', 'header', 'Authorization']]],
  GetArticle: [[], [['token', 'header', 'Authorization']]],
  UpdateArticle: [[['token', 'header', 'Authorization']]],
  DeleteArticle: [[['token', 'header', 'Authorization']]],
  GetArticleComments: [[], [['token', 'header', 'Authorization']]],
  CreateArticleComment: [[['token', 'header', 'Authorization']]],
  DeleteArticleComment: [[['token', 'header', 'Authorization']]],
  CreateArticleFavorite: [[['token', 'header', 'Authorization']]],
  DeleteArticleFavorite: [[['token', 'header', 'Authorization']]],
  GetTags: [],
  '': [[['token', 'header', 'Authorization']]],
} as const;
