import { readFileSync } from 'node:fs';

export const readme = ['README.md', 'GUIDE.md']
  .map((name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
  .join('\n');

export const snippets = readme.split(/^## /m).flatMap((text) => {
  const [section = ''] = text.split('\n');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => ({ section, code }));
});
