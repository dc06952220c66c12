import type { Places } from '@repo/openapi';
import type { Direction, Effect, Finding } from '../finding.ts';

/** Two versions of a nested schema to compare. No places: any value is allowed. */
export interface Pair {
  base: Places;
  head: Places;
  /** Overrides the effect of every finding in the pair. */
  as?: Effect | undefined;
}

/** Compares nested schemas, also for the rules of single keywords. */
export interface Schemas {
  readonly direction: Direction;
  findings(base: Places, head: Places): Iterable<Finding>;
  /** The effect of replacing one schema by the other; undefined if they allow the same values. */
  effectOf(base: Places, head: Places): 'compatible' | 'wider' | 'narrower' | 'changed' | undefined;
}
