/**
 * The schemas of an SDK as Standard Schema.
 *
 * @module
 */

// Their file is no entry, because declarations would name the types by it, and an app does not depend on this package.
export { type Issue, type StandardSchema, standardSchema } from './standard-schema.ts';
