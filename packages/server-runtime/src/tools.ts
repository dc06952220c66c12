/** For `@petstore-platform/contract` of the same version. No part of the public interface. */
export { Compiler, linearMatcher } from '@petstore-platform/openapi-validation';
export { routerOf } from './api/routing.ts';
export { BEARER, type Credential, isAuthorization, type Security } from './caller.ts';
export type { Fields, FilePart } from './contract.ts';
