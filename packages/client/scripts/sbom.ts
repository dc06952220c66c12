// The SBOM of the package: of what pnpm lists (standard input), what is part of dist/. All else only builds and tests it.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

interface Sbom {
  metadata: { component: { 'bom-ref': string } };
  components: { name: string; version: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const sbom = JSON.parse(await text(process.stdin)) as Sbom;
const licenses = readFileSync(new URL('../THIRD_PARTY_LICENSES', import.meta.url), 'utf8');
const components = sbom.components.filter(({ name, version }) => licenses.includes(`\n${name} ${version}, `));
if (components.length === 0) throw new Error('Nothing that THIRD_PARTY_LICENSES names is among the dependencies');
const refs = new Set([sbom.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
console.log(JSON.stringify({ ...sbom, components, dependencies }, null, 2));
