import { migration, policiesOf } from '@petstore-platform/server-runtime';

const tenants = { customers: 'tenant', invoices: 'tenant', attachments: 'tenant', exports: 'tenant' };

export const migrations = {
  '001-invoices': migration(
    `create table customers (
      id uuid primary key default gen_random_uuid(),
      tenant text not null,
      name text not null,
      email text not null,
      tags text[] not null,
      metadata jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (tenant, id),
      unique (tenant, email)
    );
    create index customers_created_at on customers (tenant, created_at, id);
    create table invoices (
      id uuid primary key default gen_random_uuid(),
      tenant text not null,
      number text not null,
      customer_id uuid not null,
      issued_on date not null,
      notes text,
      lines jsonb not null,
      total numeric(14, 2) not null,
      state text not null default 'draft',
      version integer not null default 1,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (tenant, id),
      unique (tenant, number),
      foreign key (tenant, customer_id) references customers (tenant, id)
    );
    create index invoices_issued_on on invoices (tenant, issued_on, id);
    create index invoices_total on invoices (tenant, total, id);
    create table attachments (
      id uuid primary key default gen_random_uuid(),
      tenant text not null,
      invoice_id uuid not null,
      name text not null,
      type text not null,
      bytes bytea not null,
      foreign key (tenant, invoice_id) references invoices (tenant, id) on delete cascade
    );
    create index attachments_invoice on attachments (tenant, invoice_id);
    create table exports (id uuid primary key default gen_random_uuid(), tenant text not null, done_at timestamptz);
    ${policiesOf('invoices', tenants)}`,
    'drop table exports, attachments, invoices, customers',
  ),
};
