import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseYaml } from '@petstore-platform/openapi';
import { BUMPS, type Bump, largestBump } from './bump.ts';

/**
 * The largest bump of a package that changesets declare, as `changeset version` reads them.
 *
 * @param root - folder of the workspace
 * @param before - paths from the root of older changesets, which do not count
 * @throws Error for an invalid changeset
 */
export function declaredBump(root: string, name: string, before: readonly string[] = []): Bump {
  const folder = path.join(root, '.changeset');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  const added = files.map((file) => `.changeset/${file.replaceAll('\\', '/')}`).filter(isChangeset);
  return largestBump(
    added.filter((file) => !before.includes(file)).map((file) => bumpsIn(path.join(root, file))[name] ?? 'none'),
  );
}

// A file named in capitals, such as README.md, documents the folder. It is not a changeset.
const isChangeset = (file: string) => /^\.changeset\/(pre\/)?(?!\.|[A-Z]+\.md$)[^/]+\.md$/.test(file);

function bumpsIn(file: string): Record<string, Bump> {
  const [, matter] = /^---\r?\n([\s\S]*?)(?:\r?\n)?---(?:\r?\n|$)/.exec(readFileSync(file, 'utf8')) ?? [];
  const bumps = matter === undefined ? [] : (parseYaml(matter, path.basename(file)).value ?? {});
  if (!Array.isArray(bumps) && Object.values(bumps).every((bump) => BUMPS.includes(bump as Bump)))
    return bumps as Record<string, Bump>;
  throw new Error(`could not parse changeset ${path.basename(file)}`);
}

export function changeset(name: string, bump: Bump, summary: string): string {
  return `---\n${JSON.stringify(name)}: ${bump}\n---\n\n${summary}\n`;
}
