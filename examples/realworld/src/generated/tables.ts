// Generated from migrations.ts by `pnpm tables`. Do not edit.

import type { Generated, GeneratedAlways } from 'kysely';

/** The tables, as the migrations leave them. */
export interface GeneratedTables {
  articles: {
    id: GeneratedAlways<number>;
    slug: string;
    author: string;
    title: string;
    description: string;
    body: string;
    tags: string[];
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  comments: {
    id: GeneratedAlways<number>;
    article: number;
    author: string;
    body: string;
    created_at: Generated<Date>;
  };
  favorites: {
    article: number;
    person: string;
  };
  follows: {
    follower: string;
    followed: string;
  };
  users: {
    id: string;
    username: string;
    email: string;
    password: string;
    bio: string | null;
    image: string | null;
  };
}

/** The types of the columns in Postgres. */
export const columns = {
  articles: { id: 'bigint', slug: 'text', author: 'text', title: 'text', description: 'text', body: 'text', tags: 'text[]', created_at: 'timestamptz', updated_at: 'timestamptz' },
  comments: { id: 'bigint', article: 'bigint', author: 'text', body: 'text', created_at: 'timestamptz' },
  favorites: { article: 'bigint', person: 'text' },
  follows: { follower: 'text', followed: 'text' },
  users: { id: 'text', username: 'text', email: 'text', password: 'text', bio: 'text', image: 'text' },
} as const;
