// The commands of the documents in deploy/, for the service of this repository in place of `shop`.
import { readFileSync } from 'node:fs';
import { anyService } from '../../scripts/services.mjs';

export const { name: SERVICE } = anyService(process.env.SERVICE || undefined);

/** The documents name a service `shop`. */
const named = (text) => text.replaceAll(/\bshop\b|\bshop(?=_)/g, SERVICE);

/** The blocks of `sh` below a heading of a document, up to the next heading. */
export function blocksOf(file, heading) {
  const text = readFileSync(file, 'utf8');
  const [, section] = new RegExp(`^#+ ${heading}\n(.*?)(?=^## |^### |$(?![^]))`, 'ms').exec(text) ?? [];
  if (section === undefined) throw new Error(`${file} has no section ${heading}`);
  return Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, lines]) => named(lines));
}
