/** For `@petstore-platform/contract` and `@petstore-platform/service` of the same version. No part of the public interface. */

export { Compiler, linearMatcher } from '@petstore-platform/openapi-validation';
export { type Routed, routerOf, unroutable } from './api/routing.ts';
export { loadConfig } from './config.ts';
export { othersIn, tablesOf } from './database/write-tables.ts';
