// The commands of the documents in deploy/, for the service of this repository in place of `shop`.
import { readFileSync } from 'node:fs';
import { anyService } from '../../scripts/services.mjs';

const { name, root, folder } = anyService(process.env.SERVICE || undefined);
export const SERVICE = name;

/** The requests of the contract's examples. */
export const { examples } = await import(`${root}/${folder}/src/generated/examples.ts`);

/** The documents name a service `shop`. */
const named = (text) => text.replaceAll(/\bshop\b|\bshop(?=_)/g, SERVICE);

/** The blocks of `sh` below a heading of a document, up to the next heading. */
export function blocksOf(file, heading) {
  const sections = readFileSync(file, 'utf8').split(/^(?=##)/m);
  const section = sections.find((each) => each.startsWith(`## ${heading}\n`) || each.startsWith(`### ${heading}\n`));
  if (section === undefined) throw new Error(`${file} has no section ${heading}`);
  const [, ...blocks] = section.split(/^```sh\n/m);
  return blocks.map((block) => named(block.slice(0, block.indexOf('```'))));
}
