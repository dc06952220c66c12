import { migration } from '@repo/server-runtime';

export const migrations = {
  '001-books': migration(
    `create table books (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      title text not null,
      store_id bigint not null,
      format text
    );
    create index books_format_id on books (format, id)`,
    'drop table books',
  ),

  '002-stores': migration(
    `create table stores (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      name text not null unique,
      city text not null,
      capacity integer,
      state text not null default 'open',
      opened_at timestamptz not null default now()
    );
    create index stores_city_id on stores (city, id)`,
    'drop table stores',
  ),

  '003-visits': migration(
    'create table visits (id bigint generated always as identity primary key, note text not null)',
    'drop table visits',
  ),
};
