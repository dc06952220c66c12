import path from 'node:path';
import type { Change } from './changes.ts';
import { Comparison } from './compare.ts';
import { goneComponents, type Version } from './components.ts';
import { compareBumps } from './finding.ts';
import { Source } from './source.ts';

/** A contract as it was written, and in one piece. A document that is one file already is its own bundle. */
export async function readVersion(file: string): Promise<Version> {
  const source = new Source(path.resolve(file));
  // A file that is not YAML fails with its line, whoever else would have stumbled over it.
  source.open(source.file);
  if (!source.isSplit) return { source, bundle: source.root.value };
  // Redocly takes long to start, and most contracts are one file.
  const { bundleFile } = await import('../redocly.ts');
  return { source, bundle: await bundleFile(source.file) };
}

/** All changes between two contracts, the worst first: those that break clients, and of these the ones that break most. */
export function diffContracts(base: Version, head: Version): Change[] {
  const gone = goneComponents(base, head);
  const { changes } = new Comparison(base.source.root, head.source.root, gone);
  for (const one of gone.values()) changes.add(one);
  return changes.all().sort((a, b) => compareBumps(b.impact, a.impact) || b.operations.length - a.operations.length);
}
