import { readFileSync } from 'node:fs';

export const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The snippets that a section of the README prints. */
export const printed = (section: string): string[] =>
  [...(readme.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  );
