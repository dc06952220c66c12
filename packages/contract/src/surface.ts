import { structuredPatch } from 'diff';

/**
 * The unified diff of the exports of an SDK, each hunk headed by its declaration. Empty without changes.
 *
 * @param before, after - the generated files, text by path
 * @param client - the folder of those of the SDK
 */
export function surfaceDiff(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  client: string,
): string {
  const [old = '', now = ''] = [before, after].map((files) => files.get(`${client}/operations.ts`));
  const { hunks } = structuredPatch('', '', old, now, '', '', { context: 2 });
  const lines = now.split('\n');
  return hunks
    .flatMap(({ newStart, lines: hunk }) => {
      const index = hunk.findIndex((line) => /^[+-]/.test(line));
      const above = [...lines.slice(0, newStart - 1 + index), hunk[index]?.slice(1) ?? ''];
      const name = above.map((line) => /^export \w+ (\w+)/.exec(line)?.[1]).findLast(Boolean);
      return [`@@ ${name ?? 'top level'} @@`, ...hunk];
    })
    .filter((line) => !line.startsWith('\\'))
    .join('\n');
}
