import { compareBumps } from './bump.ts';
import { type Change, Comparison } from './compare.ts';
import { type Finding, finding } from './finding.ts';
import type { Version } from './version.ts';
import { code } from './words.ts';

/** All changes between two contracts, sorted by impact, then by the number of affected operations. */
export function diffContracts(base: Version, head: Version): Change[] {
  const gone = goneSchemas(base, head);
  const { changes } = new Comparison(base.root, head.root, gone);
  changes.add(gone.values());
  return changes.all().sort((a, b) => compareBumps(b.impact, a.impact) || b.operations.length - a.operations.length);
}

/**
 * The component schemas that head no longer has. An SDK exports each as a type, so a removal breaks imports even if nothing
 * changed on the wire.
 *
 * @returns findings by the id of the schema's place in base
 */
function goneSchemas({ schemas }: Version, head: Version): Map<string, Finding> {
  const gone = [...schemas].filter(([name]) => !head.schemas.has(name));
  return new Map(
    gone.map(([name, place]) => {
      const message = `The schema ${code(name)} was removed, and the SDK's type with it.`;
      return [place.id, finding('component-schema-removed', 'gone', place, message)];
    }),
  );
}
