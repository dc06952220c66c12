/** The release of the contract: sets its version and saves a copy as the released contract. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Scalar, stringify } from 'yaml';
import { generateFiles, writeFiles } from './generate/generate.ts';
import { diffContracts, readVersion } from './review/diff.ts';
import { type Bump, largestBump } from './review/finding.ts';
import { CONTRACT, RELEASED } from './review/review.ts';

const BANNER = `# The contract as it was last released, written by \`pnpm contract:release\`. Do not edit: the review
# compares with it.
`;

/**
 * Writes `info.version`, the generated files and `openapi/.released.yaml`. Run after `changeset version`.
 *
 * @param root - folder of the workspace
 */
export async function release(root: string): Promise<{ version: string; changed: boolean }> {
  const [contract, released] = [path.join(root, CONTRACT), path.join(root, RELEASED)];
  const { source, bundle } = await readVersion(contract);
  const current = String(bundle.info.version);
  let version = current;
  if (existsSync(released)) {
    const last = await readVersion(released);
    const bump = largestBump(diffContracts(last, { source, bundle }).map(({ impact }) => impact));
    // A version set by hand is kept.
    if (String(last.bundle.info.version) === current) version = next(current, bump);
  }
  if (version !== current) {
    const text = await readFile(contract, 'utf8');
    const { range } = source.open(contract).document.getIn(['info', 'version'], true) as Scalar;
    const [start = 0, end = 0] = range ?? [];
    await writeFile(contract, text.slice(0, start) + version + text.slice(end));
    bundle.info.version = version;
  }
  writeFiles(root, generateFiles(bundle));
  await writeFile(released, BANNER + stringify(bundle, { lineWidth: 0, aliasDuplicateObjects: false }));
  return { version, changed: version !== current };
}

/**
 * The next version of the API. Its major number is the path segment (`/v1`), so a removal after its sunset is a minor
 * version of the API, though a major one of the SDK, which loses a method.
 */
function next(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'none') return version;
  return bump === 'patch' ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}
