import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

/** The functions that define operations. */
export const { read, stream, write, todo } = operationsOf(contract, tables);
