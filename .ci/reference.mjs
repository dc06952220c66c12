// Writes the reference page of each service to reference/, readable without a server.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { services } from '../scripts/services.mjs';

await import('../packages/server-runtime/scripts/docs.ts');
for (const { name, folder } of services()) {
  const page = `reference/${name}`;
  cpSync('packages/server-runtime/dist/docs', page, { recursive: true });
  const { document, reference: content } = await import(`../${folder}/src/generated/document.ts`);
  const change = (file, from, to) =>
    writeFileSync(
      `${page}/${file}`,
      readFileSync(`${page}/${file}`, 'utf8').replace(from, () => to),
    );
  change('index.html', /"\/docs\//g, '"./');
  change('index.html', '{{title}}', document.info.title);
  change('start.js', "url: '/docs/openapi.json'", `content: ${content}`);
}
