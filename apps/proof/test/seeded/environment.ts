import { pathToFileURL } from 'node:url';
import type { SeededFault } from './faults.ts';

/** Environment variables that seed a fault in a server. */
export function withFault(fault: SeededFault): Record<string, string> {
  return { SEEDED_FAULT: fault, NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/preload.ts`)}` };
}
