import { parseArgs } from 'node:util';

/** The name on a command line, and its options, each of which has a value. @throws Error with the usage */
export function argumentsOf<Option extends string>(usage: string, names: Option[]) {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [name, ...others] = positionals;
    if (name && others.length === 0) return { ...(values as { [Each in Option]?: string }), name };
  } catch {}
  throw new Error(usage);
}
