// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { Call, CallOptions, IdempotentCallOptions } from '@petstore-platform/client-runtime';

/** An environment of the API. */
export type Environment = 'production';

export interface LoginUser {
  email: string;

  password: string;
}

export interface NewUser {
  username: string;

  email: string;

  password: string;
}

export interface UpdateUser {
  email?: string | undefined;

  username?: string | undefined;

  password?: string | undefined;

  bio?: string | null | undefined;

  image?: string | null | undefined;
}

export interface User {
  email: string;

  token: string;

  username: string;

  bio: string | null;

  image: string | null;
}

export interface Profile {
  username: string;

  bio: string | null;

  image: string | null;

  following: boolean;
}

export interface ListedArticle {
  slug: string;

  title: string;

  description: string;

  tagList: string[];

  createdAt: string;

  updatedAt: string;

  favorited: boolean;

  favoritesCount: number;

  author: Profile;
}

export interface Article {
  slug: string;

  title: string;

  description: string;

  tagList: string[];

  createdAt: string;

  updatedAt: string;

  favorited: boolean;

  favoritesCount: number;

  author: Profile;

  body: string;
}

export interface NewArticle {
  title: string;

  description: string;

  body: string;

  tagList?: string[] | undefined;
}

export interface UpdateArticle {
  title?: string | undefined;

  description?: string | undefined;

  body?: string | undefined;

  tagList?: string[] | undefined;
}

export interface Comment {
  id: number;

  createdAt: string;

  updatedAt: string;

  body: string;

  author: Profile;
}

export interface NewComment {
  body: string;
}

export interface GenericErrorModel {
  errors: {
    [key: string]: string[];
};
}

/** The parameters of `GetProfileByUsername`. */
export interface GetProfileByUsernameParameters {
  /** Of the person. */
  username: string;
}

/** The parameters of `FollowUserByUsername`. */
export interface FollowUserByUsernameParameters {
  /** Of the person. */
  username: string;
}

/** The parameters of `UnfollowUserByUsername`. */
export interface UnfollowUserByUsernameParameters {
  /** Of the person. */
  username: string;
}

/** The parameters of `GetArticlesFeed`. */
export interface GetArticlesFeedParameters {
  /** How many articles are skipped. At least 0. */
  offset?: number | undefined;

  /**
   * The most articles in the response. At least 1.
   *
   * @default 20
   */
  limit?: number | undefined;
}

/** The parameters of `GetArticles`. */
export interface GetArticlesParameters {
  /** A tag that they have. */
  tag?: string | undefined;

  /** Who has written them. */
  author?: string | undefined;

  /** Who has favorited them. */
  favorited?: string | undefined;

  /** How many articles are skipped. At least 0. */
  offset?: number | undefined;

  /**
   * The most articles in the response. At least 1.
   *
   * @default 20
   */
  limit?: number | undefined;
}

/** The parameters of `GetArticle`. */
export interface GetArticleParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `UpdateArticle`. */
export interface UpdateArticleParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `DeleteArticle`. */
export interface DeleteArticleParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `GetArticleComments`. */
export interface GetArticleCommentsParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `CreateArticleComment`. */
export interface CreateArticleCommentParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `DeleteArticleComment`. */
export interface DeleteArticleCommentParameters {
  /** The name of the article in URLs. */
  slug: string;

  /** Of the comment. */
  id: number;
}

/** The parameters of `CreateArticleFavorite`. */
export interface CreateArticleFavoriteParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The parameters of `DeleteArticleFavorite`. */
export interface DeleteArticleFavoriteParameters {
  /** The name of the article in URLs. */
  slug: string;
}

/** The operations of the API, by their operationId. */
export interface Operations {
  /**
   * Log in.
   *
   * `POST /users/login`
   *
   * Needs no credentials.
   */
  Login(body: {
    user: LoginUser;
}, options?: CallOptions): Call<{
    user: User;
}>;

  /**
   * Register.
   *
   * `POST /users`
   *
   * Needs no credentials.
   */
  CreateUser(body: {
    user: NewUser;
}, options?: CallOptions): Call<{
    user: User;
}>;

  /**
   * Get the caller.
   *
   * `GET /user`
   *
   * Needs an access token.
   */
  GetCurrentUser(options?: CallOptions): Call<{
    user: User;
}>;

  /**
   * Change the caller.
   *
   * `PUT /user`
   *
   * Needs an access token.
   */
  UpdateCurrentUser(body: {
    user: UpdateUser;
}, options?: CallOptions): Call<{
    user: User;
}>;

  /**
   * Get a profile.
   *
   * `GET /profiles/{username}`
   *
   * Needs nothing, or an access token.
   */
  GetProfileByUsername(parameters: GetProfileByUsernameParameters, options?: CallOptions): Call<{
    profile: Profile;
}>;

  /**
   * Follow a person.
   *
   * `POST /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  FollowUserByUsername(parameters: FollowUserByUsernameParameters, options?: IdempotentCallOptions): Call<{
    profile: Profile;
}>;

  /**
   * Unfollow a person.
   *
   * `DELETE /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  UnfollowUserByUsername(parameters: UnfollowUserByUsernameParameters, options?: IdempotentCallOptions): Call<{
    profile: Profile;
}>;

  /**
   * List the articles of those whom the caller follows.
   *
   * `GET /articles/feed`
   *
   * Needs an access token.
   */
  GetArticlesFeed(parameters?: GetArticlesFeedParameters, options?: CallOptions): Call<{
    articles: ListedArticle[];
    articlesCount: number;
}>;

  /**
   * List articles, the newest first.
   *
   * `GET /articles`
   *
   * Needs nothing, or an access token.
   */
  GetArticles(parameters?: GetArticlesParameters, options?: CallOptions): Call<{
    articles: ListedArticle[];
    articlesCount: number;
}>;

  /**
   * Write an article.
   *
   * `POST /articles`
   *
   * Needs an access token.
   */
  CreateArticle(body: {
    article: NewArticle;
}, options?: IdempotentCallOptions): Call<{
    article: Article;
}>;

  /**
   * Get an article.
   *
   * `GET /articles/{slug}`
   *
   * Needs nothing, or an access token.
   */
  GetArticle(parameters: GetArticleParameters, options?: CallOptions): Call<{
    article: Article;
}>;

  /**
   * Change an article.
   *
   * `PUT /articles/{slug}`
   *
   * Needs an access token.
   */
  UpdateArticle(parameters: UpdateArticleParameters, body: {
    article: UpdateArticle;
}, options?: CallOptions): Call<{
    article: Article;
}>;

  /**
   * Delete an article.
   *
   * `DELETE /articles/{slug}`
   *
   * Needs an access token.
   */
  DeleteArticle(parameters: DeleteArticleParameters, options?: IdempotentCallOptions): Call<undefined>;

  /**
   * List the comments on an article.
   *
   * `GET /articles/{slug}/comments`
   *
   * Needs nothing, or an access token.
   */
  GetArticleComments(parameters: GetArticleCommentsParameters, options?: CallOptions): Call<{
    comments: Comment[];
}>;

  /**
   * Comment an article.
   *
   * `POST /articles/{slug}/comments`
   *
   * Needs an access token.
   */
  CreateArticleComment(parameters: CreateArticleCommentParameters, body: {
    comment: NewComment;
}, options?: IdempotentCallOptions): Call<{
    comment: Comment;
}>;

  /**
   * Delete a comment.
   *
   * `DELETE /articles/{slug}/comments/{id}`
   *
   * Needs an access token.
   */
  DeleteArticleComment(parameters: DeleteArticleCommentParameters, options?: IdempotentCallOptions): Call<undefined>;

  /**
   * Favorite an article.
   *
   * `POST /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  CreateArticleFavorite(parameters: CreateArticleFavoriteParameters, options?: IdempotentCallOptions): Call<{
    article: Article;
}>;

  /**
   * Unfavorite an article.
   *
   * `DELETE /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  DeleteArticleFavorite(parameters: DeleteArticleFavoriteParameters, options?: IdempotentCallOptions): Call<{
    article: Article;
}>;

  /**
   * List the tags of all articles.
   *
   * `GET /tags`
   *
   * Needs no credentials.
   */
  GetTags(options?: CallOptions): Call<{
    tags: string[];
}>;
}

/** The body of each failure that an operation declares, by HTTP status. */
export interface OperationFailures {
  /** The failures of `Login`. */
  Login: {
    401: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `CreateUser`. */
  CreateUser: {
    409: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetCurrentUser`. */
  GetCurrentUser: {
    401: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `UpdateCurrentUser`. */
  UpdateCurrentUser: {
    401: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetProfileByUsername`. */
  GetProfileByUsername: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `FollowUserByUsername`. */
  FollowUserByUsername: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `UnfollowUserByUsername`. */
  UnfollowUserByUsername: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetArticlesFeed`. */
  GetArticlesFeed: {
    401: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetArticles`. */
  GetArticles: {
    401: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `CreateArticle`. */
  CreateArticle: {
    401: GenericErrorModel;
    409: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetArticle`. */
  GetArticle: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `UpdateArticle`. */
  UpdateArticle: {
    401: GenericErrorModel;
    403: GenericErrorModel;
    404: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `DeleteArticle`. */
  DeleteArticle: {
    401: GenericErrorModel;
    403: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetArticleComments`. */
  GetArticleComments: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `CreateArticleComment`. */
  CreateArticleComment: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    413: GenericErrorModel;
    415: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `DeleteArticleComment`. */
  DeleteArticleComment: {
    401: GenericErrorModel;
    403: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `CreateArticleFavorite`. */
  CreateArticleFavorite: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `DeleteArticleFavorite`. */
  DeleteArticleFavorite: {
    401: GenericErrorModel;
    404: GenericErrorModel;
    409: GenericErrorModel;
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };

  /** The failures of `GetTags`. */
  GetTags: {
    422: GenericErrorModel;
    429: GenericErrorModel;
    500: GenericErrorModel;
    503: GenericErrorModel;
    default: GenericErrorModel;
  };
}

/** The codes of failures by HTTP status, as far as the contract tells. Others may be added. */
export interface FailureCodes {

}
