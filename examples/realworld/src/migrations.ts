import { migration } from '@petstore-platform/server-runtime';

export const migrations = {
  '001-conduit': migration(
    `create table users (
      id text primary key,
      username text not null unique,
      email text not null unique,
      password text not null,
      bio text,
      image text
    );
    create table follows (
      follower text not null references users on delete cascade,
      followed text not null references users on delete cascade,
      primary key (follower, followed)
    );
    create table articles (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      slug text not null unique,
      author text not null references users on delete cascade,
      title text not null,
      description text not null,
      body text not null,
      tags text[] not null,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );
    create index articles_author on articles (author, id);
    create index articles_tags on articles using gin (tags);
    create table favorites (
      article bigint not null references articles on delete cascade,
      person text not null references users on delete cascade,
      primary key (article, person)
    );
    create index favorites_person on favorites (person, article);
    create table comments (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      article bigint not null references articles on delete cascade,
      author text not null references users on delete cascade,
      body text not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create index comments_article on comments (article, id)`,
    'drop table comments, favorites, articles, follows, users',
  ),
};
