import { rowJson } from '../lanes.ts';

/** The contract's Pet, from a row. */
export const petJson = rowJson('Pet', { id: 'id', name: 'name', categoryId: 'category_id', status: 'status' });
