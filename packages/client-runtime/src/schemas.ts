/**
 * The schemas of an SDK as Standard Schema.
 *
 * @module
 */
export { type Issue, type StandardSchema, standardSchema } from './standard-schema.ts';
