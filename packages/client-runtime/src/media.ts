import type { Init, Operation } from './arguments.ts';

/** The options of calls of an operation whose bodies are not JSON. Those of this API are. */
export const formatOf: ((operation: Operation, init: Init) => Init) | undefined = undefined;
