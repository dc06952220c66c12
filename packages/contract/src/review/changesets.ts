import { readChangesets } from '@changesets/read';
import { type Bump, largestBump } from './bump.ts';

/**
 * The largest bump of a package that changesets declare.
 *
 * @param root - folder of the workspace
 * @param before - paths from the root of older changesets, which do not count
 * @throws Error for an invalid changeset, as `changeset version` does
 */
export async function declaredBump(root: string, sdk: string, before: readonly string[] = []): Promise<Bump> {
  const added = (await readChangesets(root)).filter(({ id }) => !before.includes(`.changeset/${id}.md`));
  const releases = added.flatMap((one) => one.releases).filter(({ name }) => name === sdk);
  return largestBump(releases.map(({ type }) => type));
}

export function changeset(sdk: string, bump: Bump, summary: string): string {
  return `---\n"${sdk}": ${bump}\n---\n\n${summary}\n`;
}
