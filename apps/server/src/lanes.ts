import { lanesOf } from '@repo/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

/** The functions that define operations: `read` and `transaction` for ordinary ones, the others for hot ones. */
export const { read, transaction, list, get, create, change, rowJson } = lanesOf(contract, tables);
