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
  const file = (name: string) => files.get(name) ?? '';
  const schema = file(`${CLIENT}/schema.ts`);
  const operations = file(`${CLIENT}/operations.ts`);
  const table = file(`${CLIENT}/table.ts`);
  const handlers = file(`${SERVER}/operations.ts`);
  return {
    client: [
      block(table, 'export const environments = {', '} as const;').replace(/^.* = /, 'environments: '),
      // What a method takes is told by `parameters`, with its types.
      operations.slice(from(operations, /^export interface Operations/m)),
      ...['schemas', 'parameters'].map((kind) => block(schema, `    ${kind}: {`, '    };').replace(/^ {4}/gm, '')),
      ...parameters(schema),
      ...bodies(schema),
    ].join('\n'),
    server: handlers.slice(from(handlers, /^export interface \w+Request \{/m)),
  };
}

/** A unified diff of two texts, in which each hunk is headed by the blocks that it is in; empty when they are equal. */
export function declarationsDiff(before: string, after: string): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 2 });
  const lines = after.split('\n');
  return hunks
    .flatMap((hunk) => {
      const changed = hunk.lines.findIndex((line) => /^[+-] *[^ ]/.test(line));
      const indent = hunk.lines[changed]?.slice(1).search(/\S/) ?? 0;
      return [
        `@@ ${blocksAbove(lines, hunk.newStart - 1 + changed, indent).join(' › ') || 'top level'} @@`,
        ...hunk.lines,
      ];
    })
    .filter((line) => !line.startsWith('\\'))
    .join('\n');
}

/** The names of the blocks that a line of some indentation is in, from the outermost. */
function blocksAbove(lines: readonly string[], index: number, indent: number): string[] {
  const names: string[] = [];
  let within = indent;
  for (let at = index - 1; at >= 0 && within > 0; at--) {
    const [, spaces = '', name = ''] = /^( *)(\S.*?)\??:? \{$/.exec(lines[at] ?? '') ?? [];
    if (name === '' || spaces.length >= within) continue;
    within = spaces.length;
    names.unshift(name.replace(/^export interface /, ''));
  }
  return names;
}

function from(text: string, start: RegExp): number {
  const index = text.search(start);
  return index < 0 ? text.length : index;
}

/** Lines from one that reads `first` to the next that reads `last`. */
function block(text: string, first: string, last: string): string {
  const lines = text.split('\n');
  const start = lines.indexOf(first);
  return start < 0 ? '' : lines.slice(start, lines.indexOf(last, start) + 1).join('\n');
}

/** The parameters of each operation, as openapi-typescript writes them; those that there are. */
function parameters(schema: string): string[] {
  const operations = schema.slice(from(schema, /^export interface operations \{/m));
  const blocks = [...operations.matchAll(/^ {4}(\w+): \{\n {8}(parameters: \{\n[\s\S]*?\n {8}\};)/gm)].map(
    ([, name, text = '']) => `${name} ${text.replace(/^ +\w+\?: never;\n/gm, '').replace(/^ {8}/gm, '')}`,
  );
  return blocks.filter((text) => !/\{\n\};$/.test(text));
}

/** The JSON bodies that are no component schema and so have no name but their place: `createPet responses 201: {`. */
function bodies(schema: string): string[] {
  const lines = schema.split('\n');
  return lines.flatMap((line, start) => {
    const [key, indent = ''] = /^( *)"application\/json": (?!components\["schemas"\]\["[^"]+"\];)/.exec(line) ?? [];
    if (key === undefined) return [];
    const [, ...owner] = blocksAbove(lines, start, indent.length).slice(0, -1);
    const end = lines.findIndex(
      (other, index) => index >= start && other.search(/\S/) === indent.length && /;$/.test(other),
    );
    const type = lines.slice(start, end + 1).map((text) => text.slice(indent.length));
    return [type.join('\n').replace('"application/json"', owner.join(' '))];
  });
}
