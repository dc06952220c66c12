// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { JsonText } from '@petstore-platform/server-runtime';

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

export interface Schemas {
  "LoginUser": LoginUser;
  "NewUser": NewUser;
  "UpdateUser": UpdateUser;
  "User": User;
  "Profile": Profile;
  "ListedArticle": ListedArticle;
  "Article": Article;
  "NewArticle": NewArticle;
  "UpdateArticle": UpdateArticle;
  "Comment": Comment;
  "NewComment": NewComment;
  "GenericErrorModel": GenericErrorModel;
}

/** RFC 9110 section 9.2.1. */
export type SafeOperation = 'GetCurrentUser' | 'GetProfileByUsername' | 'GetArticlesFeed' | 'GetArticles' | 'GetArticle' | 'GetArticleComments' | 'GetTags';

/** The body of a failure. */
export type FailureBody = GenericErrorModel;

/** Who may call an operation, if not an API key only. */
export interface Callers {
  Login: 'anonymous';
  CreateUser: 'anonymous';
  GetCurrentUser: 'token';
  UpdateCurrentUser: 'token';
  GetProfileByUsername: 'anonymous' | 'token';
  FollowUserByUsername: 'token';
  UnfollowUserByUsername: 'token';
  GetArticlesFeed: 'token';
  GetArticles: 'anonymous' | 'token';
  CreateArticle: 'token';
  GetArticle: 'anonymous' | 'token';
  UpdateArticle: 'token';
  DeleteArticle: 'token';
  GetArticleComments: 'anonymous' | 'token';
  CreateArticleComment: 'token';
  DeleteArticleComment: 'token';
  CreateArticleFavorite: 'token';
  DeleteArticleFavorite: 'token';
  GetTags: 'anonymous';
}

export interface LoginRequest {
  body: {
    user: LoginUser;
};
}

export type LoginResponse = { status: 200; body: {
    user: User;
} | JsonText<{
    user: User;
}> };

export interface CreateUserRequest {
  body: {
    user: NewUser;
};
}

export type CreateUserResponse = { status: 201; body: {
    user: User;
} | JsonText<{
    user: User;
}> };

export interface GetCurrentUserRequest {
}

export type GetCurrentUserResponse = { status: 200; body: {
    user: User;
} | JsonText<{
    user: User;
}> };

export interface UpdateCurrentUserRequest {
  body: {
    user: UpdateUser;
};
}

export type UpdateCurrentUserResponse = { status: 200; body: {
    user: User;
} | JsonText<{
    user: User;
}> };

export interface GetProfileByUsernameRequest {
  path: {
    username: string;
  };
}

export type GetProfileByUsernameResponse = { status: 200; body: {
    profile: Profile;
} | JsonText<{
    profile: Profile;
}> };

export interface FollowUserByUsernameRequest {
  path: {
    username: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type FollowUserByUsernameResponse = { status: 200; body: {
    profile: Profile;
} | JsonText<{
    profile: Profile;
}> };

export interface UnfollowUserByUsernameRequest {
  path: {
    username: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type UnfollowUserByUsernameResponse = { status: 200; body: {
    profile: Profile;
} | JsonText<{
    profile: Profile;
}> };

export interface GetArticlesFeedRequest {
  query: {
    offset?: number | undefined;
    limit: number;
  };
}

export type GetArticlesFeedResponse = { status: 200; body: {
    articles: ListedArticle[];
    articlesCount: number;
} | JsonText<{
    articles: ListedArticle[];
    articlesCount: number;
}> };

export interface GetArticlesRequest {
  query: {
    tag?: string | undefined;
    author?: string | undefined;
    favorited?: string | undefined;
    offset?: number | undefined;
    limit: number;
  };
}

export type GetArticlesResponse = { status: 200; body: {
    articles: ListedArticle[];
    articlesCount: number;
} | JsonText<{
    articles: ListedArticle[];
    articlesCount: number;
}> };

export interface CreateArticleRequest {
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: {
    article: NewArticle;
};
}

export type CreateArticleResponse = { status: 201; body: {
    article: Article;
} | JsonText<{
    article: Article;
}> };

export interface GetArticleRequest {
  path: {
    slug: string;
  };
}

export type GetArticleResponse = { status: 200; body: {
    article: Article;
} | JsonText<{
    article: Article;
}> };

export interface UpdateArticleRequest {
  path: {
    slug: string;
  };
  body: {
    article: UpdateArticle;
};
}

export type UpdateArticleResponse = { status: 200; body: {
    article: Article;
} | JsonText<{
    article: Article;
}> };

export interface DeleteArticleRequest {
  path: {
    slug: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteArticleResponse = { status: 204 };

export interface GetArticleCommentsRequest {
  path: {
    slug: string;
  };
}

export type GetArticleCommentsResponse = { status: 200; body: {
    comments: Comment[];
} | JsonText<{
    comments: Comment[];
}> };

export interface CreateArticleCommentRequest {
  path: {
    slug: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: {
    comment: NewComment;
};
}

export type CreateArticleCommentResponse = { status: 201; body: {
    comment: Comment;
} | JsonText<{
    comment: Comment;
}> };

export interface DeleteArticleCommentRequest {
  path: {
    slug: string;
    id: number;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteArticleCommentResponse = { status: 204 };

export interface CreateArticleFavoriteRequest {
  path: {
    slug: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type CreateArticleFavoriteResponse = { status: 200; body: {
    article: Article;
} | JsonText<{
    article: Article;
}> };

export interface DeleteArticleFavoriteRequest {
  path: {
    slug: string;
  };
  headers: {
    'idempotency-key'?: string | undefined;
  };
}

export type DeleteArticleFavoriteResponse = { status: 200; body: {
    article: Article;
} | JsonText<{
    article: Article;
}> };

export interface GetTagsRequest {
}

export type GetTagsResponse = { status: 200; body: {
    tags: string[];
} | JsonText<{
    tags: string[];
}> };

/**
 * One handler per operation of the contract. A failure is thrown as an `ApiError`.
 *
 * @typeParam Context - what the server gives to every handler besides the request
 */
export interface Handlers<Context> {
  /**
   * Log in.
   *
   * `POST /users/login`
   *
   * Needs no credentials.
   */
  Login(request: LoginRequest, context: Context): Promise<LoginResponse>;

  /**
   * Register.
   *
   * `POST /users`
   *
   * Needs no credentials.
   */
  CreateUser(request: CreateUserRequest, context: Context): Promise<CreateUserResponse>;

  /**
   * Get the caller.
   *
   * `GET /user`
   *
   * Needs an access token.
   */
  GetCurrentUser(request: GetCurrentUserRequest, context: Context): Promise<GetCurrentUserResponse>;

  /**
   * Change the caller.
   *
   * `PUT /user`
   *
   * Needs an access token.
   */
  UpdateCurrentUser(request: UpdateCurrentUserRequest, context: Context): Promise<UpdateCurrentUserResponse>;

  /**
   * Get a profile.
   *
   * `GET /profiles/{username}`
   *
   * Needs nothing, or an access token.
   */
  GetProfileByUsername(request: GetProfileByUsernameRequest, context: Context): Promise<GetProfileByUsernameResponse>;

  /**
   * Follow a person.
   *
   * `POST /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  FollowUserByUsername(request: FollowUserByUsernameRequest, context: Context): Promise<FollowUserByUsernameResponse>;

  /**
   * Unfollow a person.
   *
   * `DELETE /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  UnfollowUserByUsername(request: UnfollowUserByUsernameRequest, context: Context): Promise<UnfollowUserByUsernameResponse>;

  /**
   * List the articles of those whom the caller follows.
   *
   * `GET /articles/feed`
   *
   * Needs an access token.
   */
  GetArticlesFeed(request: GetArticlesFeedRequest, context: Context): Promise<GetArticlesFeedResponse>;

  /**
   * List articles, the newest first.
   *
   * `GET /articles`
   *
   * Needs nothing, or an access token.
   */
  GetArticles(request: GetArticlesRequest, context: Context): Promise<GetArticlesResponse>;

  /**
   * Write an article.
   *
   * `POST /articles`
   *
   * Needs an access token.
   */
  CreateArticle(request: CreateArticleRequest, context: Context): Promise<CreateArticleResponse>;

  /**
   * Get an article.
   *
   * `GET /articles/{slug}`
   *
   * Needs nothing, or an access token.
   */
  GetArticle(request: GetArticleRequest, context: Context): Promise<GetArticleResponse>;

  /**
   * Change an article.
   *
   * `PUT /articles/{slug}`
   *
   * Needs an access token.
   */
  UpdateArticle(request: UpdateArticleRequest, context: Context): Promise<UpdateArticleResponse>;

  /**
   * Delete an article.
   *
   * `DELETE /articles/{slug}`
   *
   * Needs an access token.
   */
  DeleteArticle(request: DeleteArticleRequest, context: Context): Promise<DeleteArticleResponse>;

  /**
   * List the comments on an article.
   *
   * `GET /articles/{slug}/comments`
   *
   * Needs nothing, or an access token.
   */
  GetArticleComments(request: GetArticleCommentsRequest, context: Context): Promise<GetArticleCommentsResponse>;

  /**
   * Comment an article.
   *
   * `POST /articles/{slug}/comments`
   *
   * Needs an access token.
   */
  CreateArticleComment(request: CreateArticleCommentRequest, context: Context): Promise<CreateArticleCommentResponse>;

  /**
   * Delete a comment.
   *
   * `DELETE /articles/{slug}/comments/{id}`
   *
   * Needs an access token.
   */
  DeleteArticleComment(request: DeleteArticleCommentRequest, context: Context): Promise<DeleteArticleCommentResponse>;

  /**
   * Favorite an article.
   *
   * `POST /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  CreateArticleFavorite(request: CreateArticleFavoriteRequest, context: Context): Promise<CreateArticleFavoriteResponse>;

  /**
   * Unfavorite an article.
   *
   * `DELETE /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  DeleteArticleFavorite(request: DeleteArticleFavoriteRequest, context: Context): Promise<DeleteArticleFavoriteResponse>;

  /**
   * List the tags of all articles.
   *
   * `GET /tags`
   *
   * Needs no credentials.
   */
  GetTags(request: GetTagsRequest, context: Context): Promise<GetTagsResponse>;
}
