// Writes a reference page to reference/, readable without a server.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';

await import('../packages/server-runtime/scripts/docs.ts');
cpSync('packages/server-runtime/dist/docs', 'reference', { recursive: true });
const { document, reference: content } = await import('../apps/server/src/generated/document.ts');
const change = (file, from, to) =>
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(from, () => to),
  );
change('reference/index.html', /"\/docs\//g, '"./');
change('reference/index.html', '{{title}}', document.info.title);
change('reference/start.js', "url: '/docs/openapi.json'", `content: ${content}`);
