import { rowJson } from '../api.ts';

/** The contract's Pet, from a row with its columns. */
export const petJson = rowJson('Pet', { id: 'id', name: 'name', categoryId: 'category_id', status: 'status' });
