import { pathToFileURL } from 'node:url';
import type { Bug } from './bugs.ts';

/** The environment of a server with a bug. */
export function planted(bug: Bug): Record<string, string> {
  return { PLANTED: bug, NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/preload.ts`)}` };
}
