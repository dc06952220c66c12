/** For `@petstore-platform/service` and `@petstore-platform/create-service` of the same version. No part of the public interface. */
export { check } from './check.ts';
export { basePathOf, type Document, type Operation, operationsOf, planOf } from './contract.ts';
export { generateAll, generateFiles, staleCopy } from './generate/generate.ts';
export { isBindable } from './generate/names.ts';
export { readmeCode } from './generate/readme.ts';
export { keyOf, literal, markdown, quoted } from './generate/values.ts';
export { isError, report } from './lint/report.ts';
export { PLATFORM } from './platform.ts';
export { folderOf, readContract } from './read.ts';
export { rootOf, type Target, targetsOf } from './targets.ts';
export { watchSources } from './watch.ts';
