export { decodeUtf8, MAX_DEPTH } from './json.ts';
export { keyOf, type Operation, type Parameter, type Style } from './operation.ts';
export { checkMedia, parseField } from './parsers.ts';
export { linearMatcher } from './patterns.ts';
export { openapiValidation as default, openapiValidation, type ValidationOptions } from './plugin.ts';
export { below, type FieldError, fieldError, RequestError, unescapePointer } from './reasons.ts';
export { Compiler, type Schemas } from './schemas.ts';
export { isDecodable, sentQuery } from './styles.ts';
