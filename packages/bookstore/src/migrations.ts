import { migration } from '@petstore-platform/server-runtime';

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

  '003-sales': migration(
    `create table sales (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      sold_at timestamptz not null,
      due date not null,
      price numeric(10, 2) not null,
      buyer_name text not null,
      buyer_city varchar(255),
      titles text[] not null,
      labels jsonb,
      cashier text
    );
    create index sales_sold_at on sales (sold_at, id);
    create index sales_buyer on sales (buyer_name collate "C");
    create index books_of_stores on books (store_id, title collate "C", id);
    create index books_of_stores_by_format on books (store_id, format, title collate "C", id)`,
    `drop table sales;
    drop index books_of_stores, books_of_stores_by_format`,
  ),

  '004-visits': migration(
    'create table visits (id bigint generated always as identity primary key, note text not null)',
    'drop table visits',
  ),
};
