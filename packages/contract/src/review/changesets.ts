import { readChangesets } from '@changesets/read';
import { type Bump, largestBump } from './bump.ts';

export const PACKAGE = '@petstore/client';

/**
 * The largest bump of `@petstore/client` that changesets declare.
 *
 * @param root - folder of the workspace
 * @param before - paths from the root of older changesets, which do not count
 * @throws Error for an invalid changeset, as `changeset version` does
 */
export async function declaredBump(root: string, before: readonly string[] = []): Promise<Bump> {
  const added = (await readChangesets(root)).filter(({ id }) => !before.includes(`.changeset/${id}.md`));
  const releases = added.flatMap((one) => one.releases).filter(({ name }) => name === PACKAGE);
  return largestBump(releases.map(({ type }) => type));
}

export function changeset(bump: Bump, summary: string): string {
  return `---\n"${PACKAGE}": ${bump}\n---\n\n${summary}\n`;
}
