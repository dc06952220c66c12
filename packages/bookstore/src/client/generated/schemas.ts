// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/**
 * The schemas of the API as Standard Schema, for forms.
 *
 * @module
 */
import { type StandardSchema, standardSchema } from '@petstore-platform/client-runtime/schemas';
import type * as types from './operations.ts';
import * as validators from './validators.ts';

export type { Issue, StandardSchema } from '@petstore-platform/client-runtime/schemas';

/** How a book is made. */
export const Format: StandardSchema<types.Format> = /* @__PURE__ */ standardSchema(validators.Format, 'bookstore');

/** How a book is made. */
export type Format = types.Format;

/** A book to add. */
export const NewBook: StandardSchema<types.NewBook> = /* @__PURE__ */ standardSchema(validators.NewBook, 'bookstore');

/** A book to add. */
export type NewBook = types.NewBook;

/** A book of a store. */
export const Book: StandardSchema<types.Book> = /* @__PURE__ */ standardSchema(validators.Book, 'bookstore');

/** A book of a store. */
export type Book = types.Book;

/** A page of books, in ascending order of `id`. */
export const Books: StandardSchema<types.Books> = /* @__PURE__ */ standardSchema(validators.Books, 'bookstore');

/** A page of books, in ascending order of `id`. */
export type Books = types.Books;

/** Whether it takes books. */
export const StoreState: StandardSchema<types.StoreState> = /* @__PURE__ */ standardSchema(validators.StoreState, 'bookstore');

/** Whether it takes books. */
export type StoreState = types.StoreState;

/** A store to open. */
export const NewStore: StandardSchema<types.NewStore> = /* @__PURE__ */ standardSchema(validators.NewStore, 'bookstore');

/** A store to open. */
export type NewStore = types.NewStore;

/** New values. */
export const StoreChange: StandardSchema<types.StoreChange> = /* @__PURE__ */ standardSchema(validators.StoreChange, 'bookstore');

/** New values. */
export type StoreChange = types.StoreChange;

/** A new name. */
export const StoreName: StandardSchema<types.StoreName> = /* @__PURE__ */ standardSchema(validators.StoreName, 'bookstore');

/** A new name. */
export type StoreName = types.StoreName;

/** A store. */
export const Store: StandardSchema<types.Store> = /* @__PURE__ */ standardSchema(validators.Store, 'bookstore');

/** A store. */
export type Store = types.Store;

/** A page of stores. */
export const Stores: StandardSchema<types.Stores> = /* @__PURE__ */ standardSchema(validators.Stores, 'bookstore');

/** A page of stores. */
export type Stores = types.Stores;

/** The books of a store. */
export const Stock: StandardSchema<types.Stock> = /* @__PURE__ */ standardSchema(validators.Stock, 'bookstore');

/** The books of a store. */
export type Stock = types.Stock;

/** Who buys. */
export const Buyer: StandardSchema<types.Buyer> = /* @__PURE__ */ standardSchema(validators.Buyer, 'bookstore');

/** Who buys. */
export type Buyer = types.Buyer;

/** Any texts, by name. */
export const Labels: StandardSchema<types.Labels> = /* @__PURE__ */ standardSchema(validators.Labels, 'bookstore');

/** Any texts, by name. */
export type Labels = types.Labels;

/** A sale to add. */
export const NewSale: StandardSchema<types.NewSale> = /* @__PURE__ */ standardSchema(validators.NewSale, 'bookstore');

/** A sale to add. */
export type NewSale = types.NewSale;

/** New labels. */
export const SaleChange: StandardSchema<types.SaleChange> = /* @__PURE__ */ standardSchema(validators.SaleChange, 'bookstore');

/** New labels. */
export type SaleChange = types.SaleChange;

/** A sale. */
export const Sale: StandardSchema<types.Sale> = /* @__PURE__ */ standardSchema(validators.Sale, 'bookstore');

/** A sale. */
export type Sale = types.Sale;
