import { rowJson } from '../lanes.ts';

/** The JSON of a row, as the contract's Pet. */
export const petJson = rowJson('Pet', { id: 'id', name: 'name', categoryId: 'category_id', status: 'status' });
