export type Impact = 'major' | 'minor' | 'patch';
export type Bump = Impact | 'none';

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

export const isImpact = (value: unknown): value is Impact => ORDER.indexOf(value as Bump) > 0;

/** Negative when `a` is the smaller bump. */
export function compareBumps(a: Bump, b: Bump): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

export function largestBump(bumps: readonly Bump[]): Bump {
  return ORDER.filter((bump) => bumps.includes(bump)).at(-1) ?? 'none';
}

/** `no release`, `minor` */
export const bumpText = (bump: Bump) => (bump === 'none' ? 'no release' : bump);
