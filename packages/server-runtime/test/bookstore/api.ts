import { initService } from '@repo/server-runtime';
import { contract } from './generated/contract.ts';

export interface Tables {
  books: { id: number; title: string; store_id: number; format: string | null };
}

export const { list, get, change, read, write, rowJson, todo } = initService.tables<Tables>().create(contract);
