import { lanesOf } from '@repo/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

/** How operations are written: ordinary ones with `read` and `transaction`, hot ones with the others. */
export const { read, transaction, list, get, create, change, rowJson, todo } = lanesOf(contract, tables);
