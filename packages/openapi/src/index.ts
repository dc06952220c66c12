export { mayRead, UNREADABLE } from './files.ts';
export { METHODS } from './methods.ts';
export { isObject, type Key, keysOf, Place, type Places, paired, pairedEntries, pointerOf } from './place.ts';
export { type Completion, Source } from './source.ts';
export { parseYaml } from './yaml.ts';
