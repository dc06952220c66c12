/** The diff of the generated declarations that developers use. */
import { structuredPatch } from 'diff';
import { CLIENT, SERVER } from '../contract.ts';

/** Unified diffs, each hunk headed by its declaration; empty without changes. */
export interface Surface {
  /** The exports of `@petstore/client`. */
  client: string;
  /** The interface of the server's handlers. */
  server: string;
}

type Files = ReadonlyMap<string, string>;

/** Compares the generated files of two contracts, text by path. */
export function surfaceDiff(before: Files, after: Files): Surface {
  const compare = (name: string, start: RegExp) => {
    const [old = '', now = ''] = [before, after].map((files) => files.get(name)?.split(start).slice(1).join(''));
    return declarationsDiff(old, now);
  };
  return {
    client: compare(`${CLIENT}/operations.ts`, /^(?=export )/m),
    server: compare(`${SERVER}/operations.ts`, /^(?=export interface \w+Request )/m),
  };
}

function declarationsDiff(before: string, after: string): string {
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
