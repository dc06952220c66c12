export { type Closed, closed, type SchemaOrBoolean } from './additional-properties.ts';
export { bundle } from './bundle.ts';
export { ANNOTATION, withoutAnnotations } from './dialect.ts';
export { READ_ONLY_FIELDS } from './directions.ts';
export type {
  Direction,
  Document,
  Header,
  Media,
  Method,
  Note,
  Operation,
  Parameter,
  Reading,
  Requirement,
  Response,
  Schema,
} from './document.ts';
export { mayRead, UNREADABLE } from './files.ts';
export { METHODS } from './methods.ts';
export { type Normalized, normalize } from './normalize.ts';
export { notesOf, type Report } from './notes.ts';
export { type Any, type Change, isMap, kindIn, mapParts, mapValues, rebuild, SECTIONS } from './objects.ts';
export { operationsIn, operationsOf, parameterOf } from './operations.ts';
export { from, originOf, placeAt } from './origin.ts';
export { patternOf } from './patterns.ts';
export { isObject, type Key, keysOf, Place, type Places, paired, pairedEntries, pointerOf } from './place.ts';
export { read } from './read.ts';
export { at, follow as followSchema, freeName, partsOf, refTo, resolve, schemaIn } from './references.ts';
export { Source } from './source.ts';
export { heldBy, kindsOf, partsIn, type Style, styleOf } from './styles.ts';
export { parseYaml } from './yaml.ts';
