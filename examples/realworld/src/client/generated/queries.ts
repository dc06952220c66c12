// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

import type { CallOptions, IdempotentCallOptions } from '@petstore-platform/client-runtime';
import type { Mutation, Query, QueryNames } from '@petstore-platform/client-runtime/react-query';
import type { ConduitError } from './sdk.ts';

import type * as types from './operations.ts';

/** The names of this SDK. */
export interface Names extends QueryNames {
  readonly service: 'conduit';
  readonly error: ConduitError;
}

/** Options of TanStack Query for each operation. */
export interface Queries {
  /**
   * Log in.
   *
   * `POST /users/login`
   *
   * Needs no credentials.
   */
  readonly Login: Mutation<Names, 'Login', types.Operations['Login'], { readonly body: Parameters<types.Operations['Login']>[0] } & CallOptions>;

  /**
   * Register.
   *
   * `POST /users`
   *
   * Needs no credentials.
   */
  readonly CreateUser: Mutation<Names, 'CreateUser', types.Operations['CreateUser'], { readonly body: Parameters<types.Operations['CreateUser']>[0] } & CallOptions>;

  /**
   * Get the caller.
   *
   * `GET /user`
   *
   * Needs an access token.
   */
  readonly GetCurrentUser: Query<Names, 'GetCurrentUser', types.Operations['GetCurrentUser'], Readonly<Record<string, never>>>;

  /**
   * Change the caller.
   *
   * `PUT /user`
   *
   * Needs an access token.
   */
  readonly UpdateCurrentUser: Mutation<Names, 'UpdateCurrentUser', types.Operations['UpdateCurrentUser'], { readonly body: Parameters<types.Operations['UpdateCurrentUser']>[0] } & CallOptions>;

  /**
   * Get a profile.
   *
   * `GET /profiles/{username}`
   *
   * Needs nothing, or an access token.
   */
  readonly GetProfileByUsername: Query<Names, 'GetProfileByUsername', types.Operations['GetProfileByUsername'], types.GetProfileByUsernameParameters>;

  /**
   * Follow a person.
   *
   * `POST /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  readonly FollowUserByUsername: Mutation<Names, 'FollowUserByUsername', types.Operations['FollowUserByUsername'], { readonly parameters: types.FollowUserByUsernameParameters } & IdempotentCallOptions>;

  /**
   * Unfollow a person.
   *
   * `DELETE /profiles/{username}/follow`
   *
   * Needs an access token.
   */
  readonly UnfollowUserByUsername: Mutation<Names, 'UnfollowUserByUsername', types.Operations['UnfollowUserByUsername'], { readonly parameters: types.UnfollowUserByUsernameParameters } & IdempotentCallOptions>;

  /**
   * List the articles of those whom the caller follows.
   *
   * `GET /articles/feed`
   *
   * Needs an access token.
   */
  readonly GetArticlesFeed: Query<Names, 'GetArticlesFeed', types.Operations['GetArticlesFeed'], types.GetArticlesFeedParameters>;

  /**
   * List articles, the newest first.
   *
   * `GET /articles`
   *
   * Needs nothing, or an access token.
   */
  readonly GetArticles: Query<Names, 'GetArticles', types.Operations['GetArticles'], types.GetArticlesParameters>;

  /**
   * Write an article.
   *
   * `POST /articles`
   *
   * Needs an access token.
   */
  readonly CreateArticle: Mutation<Names, 'CreateArticle', types.Operations['CreateArticle'], { readonly body: Parameters<types.Operations['CreateArticle']>[0] } & IdempotentCallOptions>;

  /**
   * Get an article.
   *
   * `GET /articles/{slug}`
   *
   * Needs nothing, or an access token.
   */
  readonly GetArticle: Query<Names, 'GetArticle', types.Operations['GetArticle'], types.GetArticleParameters>;

  /**
   * Change an article.
   *
   * `PUT /articles/{slug}`
   *
   * Needs an access token.
   */
  readonly UpdateArticle: Mutation<Names, 'UpdateArticle', types.Operations['UpdateArticle'], { readonly parameters: types.UpdateArticleParameters; readonly body: Parameters<types.Operations['UpdateArticle']>[1] } & CallOptions>;

  /**
   * Delete an article.
   *
   * `DELETE /articles/{slug}`
   *
   * Needs an access token.
   */
  readonly DeleteArticle: Mutation<Names, 'DeleteArticle', types.Operations['DeleteArticle'], { readonly parameters: types.DeleteArticleParameters } & IdempotentCallOptions>;

  /**
   * List the comments on an article.
   *
   * `GET /articles/{slug}/comments`
   *
   * Needs nothing, or an access token.
   */
  readonly GetArticleComments: Query<Names, 'GetArticleComments', types.Operations['GetArticleComments'], types.GetArticleCommentsParameters>;

  /**
   * Comment an article.
   *
   * `POST /articles/{slug}/comments`
   *
   * Needs an access token.
   */
  readonly CreateArticleComment: Mutation<Names, 'CreateArticleComment', types.Operations['CreateArticleComment'], { readonly parameters: types.CreateArticleCommentParameters; readonly body: Parameters<types.Operations['CreateArticleComment']>[1] } & IdempotentCallOptions>;

  /**
   * Delete a comment.
   *
   * `DELETE /articles/{slug}/comments/{id}`
   *
   * Needs an access token.
   */
  readonly DeleteArticleComment: Mutation<Names, 'DeleteArticleComment', types.Operations['DeleteArticleComment'], { readonly parameters: types.DeleteArticleCommentParameters } & IdempotentCallOptions>;

  /**
   * Favorite an article.
   *
   * `POST /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  readonly CreateArticleFavorite: Mutation<Names, 'CreateArticleFavorite', types.Operations['CreateArticleFavorite'], { readonly parameters: types.CreateArticleFavoriteParameters } & IdempotentCallOptions>;

  /**
   * Unfavorite an article.
   *
   * `DELETE /articles/{slug}/favorite`
   *
   * Needs an access token.
   */
  readonly DeleteArticleFavorite: Mutation<Names, 'DeleteArticleFavorite', types.Operations['DeleteArticleFavorite'], { readonly parameters: types.DeleteArticleFavoriteParameters } & IdempotentCallOptions>;

  /**
   * List the tags of all articles.
   *
   * `GET /tags`
   *
   * Needs no credentials.
   */
  readonly GetTags: Query<Names, 'GetTags', types.Operations['GetTags'], Readonly<Record<string, never>>>;
}
