import type { Kysely } from 'kysely';
import { sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pets (
      id bigint generated always as identity (maxvalue 9007199254740991) primary key,
      name text not null,
      category_id bigint not null,
      status text
    )`.execute(db);
  // Serves both the filter and the order of a filtered list.
  await sql`create index pets_status_id on pets (status, id)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table pets`.execute(db);
}
