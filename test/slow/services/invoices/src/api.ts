import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

const tenants = { customers: 'tenant', invoices: 'tenant', attachments: 'tenant', exports: 'tenant' } as const;

/** The functions that define operations. */
export const { read, write } = operationsOf(contract, { ...tables, tenants });
