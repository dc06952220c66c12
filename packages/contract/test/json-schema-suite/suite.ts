import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../json.ts';

/** A schema of the suite with its tests, as one of a contract. */
export interface Group {
  /** The name of its schema in the contract. */
  name: string;
  /** The file and the description. */
  title: string;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/**
 * The official tests of JSON Schema 2020-12: https://github.com/json-schema-org/JSON-Schema-Test-Suite (MIT license, beside this file), at
 * 44401e0c. These are all files of `tests/draft2020-12` and `optional/format`, by their names, as one JSON text.
 */
const FILES: Record<string, { description: string; schema: Json; tests: Group['tests'] }[]> = JSON.parse(
  gunzipSync(readFileSync(path.join(import.meta.dirname, 'draft2020-12.json.gz'))).toString(),
);

/** Keywords that no contract has after its reading, schemas elsewhere, and what only looks like a reference. */
const ELSEWHERE =
  /"\$(id|anchor|dynamicRef|dynamicAnchor|vocabulary)":|"\$ref":"(?!#("|\/\$defs\/[\w-]+"))|"enum":\[\{"\$ref"/;

/**
 * Makes the schemas of a contract from those of the suite, as its reading would: each `$ref` leads to a named schema.
 *
 * @param root - of a `$ref` to a schema
 */
export function suite(root: string): { groups: Group[]; schemas: Json; left: string[] } {
  const schemas: Json = {};
  const groups: Group[] = [];
  const left: string[] = [];
  for (const [file, all] of Object.entries(FILES))
    for (const { description, schema, tests } of all) {
      const title = `${file.replace('.json', '')} | ${description}`;
      const name = `Suite${groups.length}`;
      const text = JSON.stringify(schema);
      if (ELSEWHERE.test(text)) {
        left.push(title);
        continue;
      }
      const moved = text
        .replaceAll('"$ref":"#"', `"$ref":"${root}${name}"`)
        .replaceAll('"$ref":"#/$defs/', `"$ref":"${root}${name}-`);
      const whole: Json = JSON.parse(moved);
      for (const [part, one] of Object.entries(whole.$defs ?? {})) schemas[`${name}-${part}`] = one;
      if (typeof whole === 'object') for (const key of ['$schema', '$defs', '$comment']) delete whole[key];
      schemas[name] = whole;
      groups.push({ name, title, tests });
    }
  return { groups, schemas, left };
}
