export type Impact = 'major' | 'minor' | 'patch';
export type Bump = Impact | 'none';

export const BUMPS: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

export const isImpact = (value: unknown): value is Impact => BUMPS.indexOf(value as Bump) > 0;

/** Compares two bumps, for sorting. The result is negative when `a` is the smaller one. */
export function compareBumps(a: Bump, b: Bump): number {
  return BUMPS.indexOf(a) - BUMPS.indexOf(b);
}

export function largestBump(bumps: readonly Bump[]): Bump {
  return BUMPS.filter((bump) => bumps.includes(bump)).at(-1) ?? 'none';
}

/** `no release`, `minor` */
export const bumpText = (bump: Bump) => (bump === 'none' ? 'no release' : bump);
