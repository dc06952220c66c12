import { readFileSync } from 'node:fs';

export const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

export const snippets = readme.split(/^## /m).flatMap((text) => {
  const [section = ''] = text.split('\n');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => ({ section, code }));
});
