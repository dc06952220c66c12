import { ApiError } from '@petstore-platform/server-runtime';
import { read, write } from '../api.ts';

const CUSTOMER = [
  'id',
  'name',
  'email',
  'tags',
  'metadata',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const listCustomers = read('listCustomers', (_, db, { page }) =>
  page(db.selectFrom('customers').select(CUSTOMER), { by: ['created_at', 'id'] }),
);

const createCustomer = write(
  'createCustomer',
  { name: true, email: true, tags: true, metadata: true },
  ({ body: { name, email, tags = [], metadata = {} } }, db, { row }) =>
    row(db.insertInto('customers').values({ name, email, tags, metadata }).returning(CUSTOMER)),
  {
    conflict: ({ body: { email } }) => new ApiError(409, `There is a customer with ${email}`, { code: 'email_taken' }),
  },
);

export const customers = { listCustomers, createCustomer };
