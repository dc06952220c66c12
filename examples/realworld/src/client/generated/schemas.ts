// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/**
 * The schemas of the API as Standard Schema, for forms.
 *
 * @module
 */
import { type StandardSchema, standardSchema } from '@petstore-platform/client-runtime/schemas';
import type * as types from './operations.ts';
import * as validators from './validators.ts';

export type { Issue, StandardSchema } from '@petstore-platform/client-runtime/schemas';

export const LoginUser: StandardSchema<types.LoginUser> = /* @__PURE__ */ standardSchema(validators.LoginUser, 'conduit');

export type LoginUser = types.LoginUser;

export const NewUser: StandardSchema<types.NewUser> = /* @__PURE__ */ standardSchema(validators.NewUser, 'conduit');

export type NewUser = types.NewUser;

export const UpdateUser: StandardSchema<types.UpdateUser> = /* @__PURE__ */ standardSchema(validators.UpdateUser, 'conduit');

export type UpdateUser = types.UpdateUser;

export const User: StandardSchema<types.User> = /* @__PURE__ */ standardSchema(validators.User, 'conduit');

export type User = types.User;

export const Profile: StandardSchema<types.Profile> = /* @__PURE__ */ standardSchema(validators.Profile, 'conduit');

export type Profile = types.Profile;

export const ListedArticle: StandardSchema<types.ListedArticle> = /* @__PURE__ */ standardSchema(validators.ListedArticle, 'conduit');

export type ListedArticle = types.ListedArticle;

export const Article: StandardSchema<types.Article> = /* @__PURE__ */ standardSchema(validators.Article, 'conduit');

export type Article = types.Article;

export const NewArticle: StandardSchema<types.NewArticle> = /* @__PURE__ */ standardSchema(validators.NewArticle, 'conduit');

export type NewArticle = types.NewArticle;

export const UpdateArticle: StandardSchema<types.UpdateArticle> = /* @__PURE__ */ standardSchema(validators.UpdateArticle, 'conduit');

export type UpdateArticle = types.UpdateArticle;

export const Comment: StandardSchema<types.Comment> = /* @__PURE__ */ standardSchema(validators.Comment, 'conduit');

export type Comment = types.Comment;

export const NewComment: StandardSchema<types.NewComment> = /* @__PURE__ */ standardSchema(validators.NewComment, 'conduit');

export type NewComment = types.NewComment;

export const GenericErrorModel: StandardSchema<types.GenericErrorModel> = /* @__PURE__ */ standardSchema(validators.GenericErrorModel, 'conduit');

export type GenericErrorModel = types.GenericErrorModel;
