import { migration } from '@petstore-platform/server-runtime';

export const migrations = {
  '001-links': migration(
    `create table links (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      slug text not null unique,
      target text not null,
      owner text not null,
      clicks bigint not null default 0
    );
    create index links_owner on links (owner, id);
    create table clicks (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      link_id bigint not null references links,
      slug text not null,
      owner text not null,
      clicked_at timestamptz not null default clock_timestamp()
    );
    create index clicks_link_id on clicks (link_id, clicked_at);
    create index clicks_owner on clicks (owner, id)`,
    'drop table clicks, links',
  ),
};
