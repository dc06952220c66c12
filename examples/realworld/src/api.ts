import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

/** The functions that define operations. */
export const { compiled, read, stream, write } = operationsOf(contract, tables);
