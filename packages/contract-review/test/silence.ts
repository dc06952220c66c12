/** Edits of the objects of OpenAPI, generated from their fields. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Edit {
  /** The field, and its value after the edit. */
  change: string;
  /** The change and its place. */
  name: string;
  head(): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: untyped YAML
type Json = any;

const read = (file: string): Json => parse(readFileSync(new URL(file, import.meta.url), 'utf8'), { merge: true });

export const MODEL: Record<string, Record<string, string | unknown[]>> = read('silence-model.yaml');
const { shared, samples: SAMPLES, exceptions, ...versions } = read('silence.yaml');

/** Documents in which each object occurs. The one for 3.2 also has everything of 3.1. */
export const FIXTURES: Record<string, Json> = {
  '3.0': { ...shared, ...versions['3.0'] },
  '3.1': { ...shared, ...versions['3.2'], openapi: '3.1.2' },
  '3.2': { ...shared, ...versions['3.2'] },
};

/** The fields that may hold a reference, by version and by kind of object. */
export const REFERABLE: Record<string, Record<string, string>> = read('references.yaml');

/** Fields that OpenAPI 3.0 does not have, and those that only it has. */
const NEWER =
  /^(document\.(\$self|jsonSchemaDialect|webhooks)|info\.summary|license\.identifier|server\.name|components\.(pathItems|mediaTypes)|path\.(query|additionalOperations)|media\.(itemSchema|prefixEncoding|itemEncoding)|encoding\.encoding|response\.summary|example\.(dataValue|serializedValue)|tag\.(summary|parent|kind)|scheme\.(oauth2MetadataUrl|deprecated)|discriminator\.defaultMapping|xml\.nodeType|schema\.(\$\w+|const|maxContains|minContains|dependent\w+|patternProperties|propertyNames|unevaluated\w+|prefixItems|contains|content\w+|if|then|else|examples|exclusive\w+))$/;
const OLDER = /^schema\.nullable$/;
const isIn = (version: string, field: string) => !(version === '3.0' ? NEWER : OLDER).test(field);

/** Changes that need no finding, each with its reason. */
const EXCEPTIONS = Object.keys(exceptions).map((pattern) => new RegExp(pattern));

/** Each object of the fixture with its kind. References stay; what they lead to stands in the components. */
export function* objectsIn(
  value: Json,
  kind: string,
  path: (string | number)[],
): Generator<[kind: string, path: (string | number)[]]> {
  if (typeof value !== 'object' || value === null) return;
  yield [kind, path];
  for (const [field, of] of Object.entries(MODEL[kind] ?? {})) {
    if (typeof of !== 'string' || value[field] === undefined) continue;
    const child = of.replace(/\W+$/, '');
    if (/\W$/.test(of))
      for (const key of Object.keys(value[field])) yield* objectsIn(value[field][key], child, [...path, field, key]);
    else yield* objectsIn(value[field], child, [...path, field]);
  }
}

export const at = (document: Json, path: readonly (string | number)[]) =>
  path.reduce((value, key) => value[key], document);

/** The types to which a keyword of a schema applies; the others ignore it. */
const TYPES: [pattern: RegExp, type: string][] = [
  [/^(maximum|minimum|exclusive\w+|multipleOf)$/, 'integer number'],
  [/^(maxLength|minLength|pattern|format|content\w+)$/, 'string'],
  [/^(\w+Items|items|\w*[cC]ontains)$/, 'array'],
  [/(Properties|required|properties|propertyNames|dependent\w+|discriminator)$/, 'object'],
];

function applies(field: string, owner: Json, base: Json): boolean {
  const target = owner.$ref ? at(base, owner.$ref.split('/').slice(1)) : owner;
  const types = TYPES.find(([pattern]) => pattern.test(field))?.[1];
  if (!types || target.type === undefined) return true;
  return [target.type].flat().some((type: string) => types.includes(type));
}

export function* edits(version: string): Generator<Edit> {
  const base = FIXTURES[version];
  for (const [kind, path] of objectsIn(base, 'document', [])) {
    const owner = at(base, path);
    // Fields beside a `$ref` are ignored, but for those of a schema in 3.1.
    if (owner.$ref !== undefined && (version === '3.0' || kind !== 'schema')) continue;
    for (const [field, of] of Object.entries(MODEL[kind] ?? {})) {
      const was = owner[field];
      if (kind === 'schema' && !applies(field, owner, base)) continue;
      const child = typeof of === 'string' ? of.replace(/\W+$/, '') : '';
      const wrap = (value: unknown) =>
        String(of).endsWith('[]') ? [value] : String(of).endsWith('{}') ? { sample: value } : value;
      const values: unknown[] =
        typeof of === 'string' ? (was === undefined ? (SAMPLES[child]?.slice(0, 1).map(wrap) ?? []) : []) : [...of];
      for (const value of [...values, undefined]) {
        if (JSON.stringify(value) === JSON.stringify(was)) continue;
        const name = `${kind}.${field}: ${JSON.stringify(was)?.slice(0, 40)} → ${JSON.stringify(value)?.slice(0, 40)} at ${path.join('/')}`;
        if (EXCEPTIONS.some((pattern) => pattern.test(name)) || !isIn(version, `${kind}.${field}`)) continue;
        const head = () => {
          const document = structuredClone(base);
          const target = at(document, path);
          if (value === undefined) delete target[field];
          else target[field] = value;
          return document;
        };
        const verb = was === undefined ? 'set' : 'changed';
        yield { change: `${kind}.${field} ${verb}: ${JSON.stringify(value)}`, name, head };
      }
    }
  }
}
