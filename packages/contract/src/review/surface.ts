/** What people who write code against the contract see of it: declarations, as text that can be compared. */
import { structuredPatch } from 'diff';
import { CLIENT, SERVER } from '../generate/generate.ts';

export interface Surface {
  /** What `@petstore/client` exports. */
  client: string;
  /** What the server's handlers implement. */
  server: string;
}

/** @param files - what the generators write: each path with its text */
export function surfaceOf(files: Map<string, string>): Surface {
  const text = (name: string, start: RegExp) => files.get(name)?.split(start).slice(1).join('') ?? '';
  return {
    client: text(`${CLIENT}/operations.ts`, /^(?=export )/m),
    server: text(`${SERVER}/operations.ts`, /^(?=export interface \w+Request )/m),
  };
}

/** A unified diff of two texts, in which each hunk is headed by the declaration that it is in; empty when they are equal. */
export function declarationsDiff(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 2 });
  const lines = after.split('\n');
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
