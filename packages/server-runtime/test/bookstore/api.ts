import { lanesOf } from '@repo/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

export const { rowJson, read, transaction, list, get, create, change } = lanesOf(contract, tables);
