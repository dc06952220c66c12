import { pathToFileURL } from 'node:url';
import type { Bug } from './bugs.ts';

/** Environment variables that plant a bug in a server. */
export function planted(bug: Bug): Record<string, string> {
  return { PLANTED: bug, NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/preload.ts`)}` };
}
