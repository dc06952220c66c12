/** The folders of operations of a new service. */
import { isBindable, keyOf, type Operation, quoted } from '@petstore-platform/contract/tools';
import { camelCase, capitalized } from './names.ts';

/** The other constants of `service.ts` and `operations.ts`. */
const TAKEN = ['contract', 'migrations', 'service', 'defineService', 'todo'];

/** A folder for each tag, with its operations in the order of the contract, and the name of the constant that holds them. */
export function foldersOf(operations: Operation[], name: string) {
  const folders = new Map<string, string[]>();
  for (const { id, tags } of operations) {
    const [tag = name] = tags;
    const slug =
      tag
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || name;
    const folder = slug === 'generated' ? 'generated-operations' : slug;
    folders.set(folder, [...(folders.get(folder) ?? []), id]);
  }
  return [...folders]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, ids]) => {
      const camel = camelCase(folder);
      const isFree = isBindable(camel) && !TAKEN.includes(camel);
      return { folder, ids, variable: isFree ? camel : `operationsOf${capitalized(camel)}` };
    });
}

export function operationsFile({ ids, variable }: ReturnType<typeof foldersOf>[0]): string {
  const rows = ids.map((id) => `  ${keyOf(id)}: todo(${quoted(id)}),\n`).join('');
  return `import { todo } from '../api.ts';

/** The operations, which have yet to be written. */
export const ${variable} = {
${rows}};
`;
}
