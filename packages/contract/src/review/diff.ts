import path from 'node:path';
import type { Document } from '../contract.ts';
import { bundleFile, type DiffEntry, diffFiles } from '../redocly.ts';
import { type Change, Comparison } from './compare.ts';
import { compareComponents } from './components.ts';
import { compareBumps } from './finding.ts';
import { describe } from './label.ts';
import { comparePlans } from './plans.ts';
import { Reach } from './reach.ts';
import { kebab } from './schema/keywords.ts';
import { Source } from './source.ts';

/**
 * All changes between two contracts, those that break clients first.
 *
 * Two engines look: ours, which knows directions, shared schemas and the SDK, and `redocly diff`.
 */
export async function diffContracts(baseFile: string, headFile: string): Promise<Change[]> {
  return compareContracts(baseFile, headFile, await diffFiles(baseFile, headFile));
}

/**
 * @param entries - Redocly's report. It adds what is only text, and what its rules take for breaking where we judge
 *   nothing.
 */
export async function compareContracts(baseFile: string, headFile: string, entries: DiffEntry[]): Promise<Change[]> {
  const [base, head] = [new Source(path.resolve(baseFile)), new Source(path.resolve(headFile))];
  const own = [...new Comparison(base, head).changes(), ...comparePlans(base.root, head.root)];
  own.push(...compareComponents(base, head, await bundleOf(base), await bundleOf(head), own));
  const theirs = entries.flatMap((entry) => toChange(entry, base, head));
  const reach = { base: new Reach(base), head: new Reach(head) };
  for (const change of [...own, ...theirs]) {
    if (change.operations.length > 0) continue;
    change.operations = reach[change.place.source === head ? 'head' : 'base'].operations(change.place);
  }
  return [...own, ...unique(theirs)].sort((a, b) => compareBumps(b.impact, a.impact));
}

/** The document in one piece. A document that is one file already is its own bundle. */
export async function bundleOf(source: Source): Promise<Document> {
  return source.files.length > 1 ? bundleFile(source.file) : source.root.value;
}

/** Properties that only tell people something. A change of one changes the SDK's JSDoc and the reference. */
const TEXT_PROPERTIES = /^(title|summary|description|termsOfService|tags|examples?|xml|bearerFormat|\$comment|x-.*)$/;

/** Objects of which the same is true. */
const TEXT_TYPES = /^(ExternalDocs|Tag|Contact|License|Link|Example)/;

/**
 * Redocly's rules for what we judge ourselves. It rates a schema that is written another way, a parameter that moved
 * to its path, a default written out or a security scheme renamed as breaking. A rule that is not listed counts.
 */
const JUDGED_RULES = new Set([
  ...['path-removed', 'operation-removed', 'operation-id-changed', 'server-removed', 'media-type-removed'],
  ...['parameter-removed', 'parameter-became-required', 'parameter-serialization-changed'],
  ...['request-body-removed', 'request-body-became-required', 'response-removed', 'response-header-removed'],
  ...['schema-type-changed', 'schema-constraint-changed', 'schema-combinator-changed', 'property-removed'],
  ...['enum-values-added', 'enum-values-removed', 'required-properties-added', 'required-properties-removed'],
  ...['security-requirement-changed', 'security-scheme-changed'],
]);

/** Extensions that have a meaning, which is judged elsewhere. */
const JUDGED = /^x-(stability|extensible-enum|environment|rate-limit-plans|deprecated-at|sunset|replaced-by)$/;

function toChange(entry: DiffEntry, base: Source, head: Source): Change[] {
  const { file, pointer } = (entry.revision ?? entry.base) as { file: string; pointer: string };
  const place = (entry.revision ? head : base).find(path.resolve(file), pointer);
  const [verdict] = entry.verdicts;
  if (verdict) {
    if (JUDGED_RULES.has(verdict.ruleId)) return [];
    return [{ impact: verdict.impact, rule: verdict.ruleId, operations: [], place, message: verdict.message }];
  }
  const isText =
    entry.property === undefined
      ? TEXT_TYPES.test(entry.typeName)
      : TEXT_PROPERTIES.test(entry.property) || TEXT_TYPES.test(entry.typeName);
  if (!isText || JUDGED.test(entry.property ?? '')) return [];
  const verb = { added: 'added', removed: 'removed', modified: 'changed' }[entry.kind];
  const thing =
    entry.property ?? kebab(`${entry.typeName.charAt(0).toLowerCase()}${entry.typeName.slice(1)}`.replace(/Map$/, ''));
  const owner = entry.property === undefined ? '' : ` of ${describe(place.parent)}`;
  const message = `The ${thing.replaceAll('-', ' ')}${owner} was ${verb}.`;
  return [{ impact: 'patch', rule: `${thing.replace(/^\$/, '')}-${verb}`, operations: [], place, message }];
}

/** The same line reached by several operations is one change. */
function unique(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [`${change.place.id} ${change.rule}`, change])).values()];
}
