import { initService } from '@repo/server-runtime';
import { contract } from './generated/contract.ts';
import type { Tables } from './migrations.ts';

/** Makes the handlers of the contract's operations, on the tables of the migrations. */
export const { list, get, change, rowJson } = initService.tables<Tables>().create(contract);
