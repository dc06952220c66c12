import { operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './generated/contract.ts';
import { tables } from './tables.ts';

export const { compiled, read, write } = operationsOf(contract, tables);
