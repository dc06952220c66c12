/** The release of the contract: sets its version and saves a copy as the released contract. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { diffContracts, largestBump, Version } from '@petstore-platform/contract-review';
import inc from 'semver/functions/inc.js';
import { parseDocument, type Scalar, stringify } from 'yaml';
import { besides } from './contract.ts';
import { generateFiles, writeFiles } from './generate/generate.ts';
import { publishedIn } from './read.ts';
import { overlayIn } from './review.ts';
import type { Target } from './targets.ts';

const BANNER = `# The contract as it was last released, written by \`contract release\`. Do not edit: the review
# compares with it.
`;

/**
 * Writes `info.version`, the generated files and its copy as the released contract. Run after `changeset version`. The major number
 * of the API is its path segment (`/v1`), so a removal after its sunset is a minor version of the API, though a major one
 * of the SDK, which loses a method.
 *
 * @param root - folder of the workspace
 */
export async function release(root: string, target: Target): Promise<{ version: string; changed: boolean }> {
  const contract = path.join(root, target.contract);
  const released = path.join(root, besides(target.contract, 'released'));
  const head = new Version(contract, { within: root, overlay: overlayIn(root) });
  const bundle = publishedIn(head.reading);
  const current = String(bundle.info.version);
  let version = current;
  if (existsSync(released)) {
    const last = new Version(released);
    const bump = largestBump(diffContracts(last, head).map(({ impact }) => impact));
    // A version that was set by hand is kept.
    if (bump !== 'none' && String(last.root.value.info.version) === current)
      version = inc(current, bump === 'patch' ? 'patch' : 'minor') ?? current;
  }
  if (version !== current) {
    const text = await readFile(contract, 'utf8');
    const { range } = parseDocument(text).getIn(['info', 'version'], true) as Scalar;
    const [start = 0, end = 0] = range ?? [];
    await writeFile(contract, text.slice(0, start) + version + text.slice(end));
    bundle.info.version = version;
  }
  writeFiles(root, generateFiles(bundle, target));
  await mkdir(path.dirname(released), { recursive: true });
  await writeFile(released, BANNER + stringify(bundle, { lineWidth: 0, aliasDuplicateObjects: false }));
  return { version, changed: version !== current };
}
