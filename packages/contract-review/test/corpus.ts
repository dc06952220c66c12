/**
 * The golden corpus, `corpus/<topic>.yaml`. A case has a `base`, a `head` and the expected verdicts: `<impact> <rule>`, with
 * `for <operations>` unless the frame's `reaches` names them. A case without a frame is one test in a request and one in
 * a response: `request-<name>`, `response-<name>`. `minor/major <rule>` stands for `minor request-<rule>` in the first and
 * `major response-<rule>` in the second.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Impact } from '../src/bump.ts';
import { Folder } from './folder.ts';

type Expect = string | string[];

/** A case in YAML, with the defaults of its topic. */
interface Written {
  name: string;
  why?: string;
  in?: string;
  /** Parts of the document that base and head share. */
  with?: object;
  /** Other files of base and head. */
  files?: Record<string, unknown>;
  base: unknown;
  head?: unknown;
  /** A merge patch (RFC 7396) of `base`, in place of `head`. */
  change?: unknown;
  expect: Expect | Record<string, Expect>;
  /** The case with `base` and `head` exchanged. */
  reverse?: { name: string; expect: Expect };
}

export interface Case {
  name: string;
  topic: string;
  /** Text by file name, including `base.yaml` and `head.yaml`. */
  files: Map<string, string>;
  expected: { impact: Impact; rule: string; operations: string[] }[];
}

export const PLAIN = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [{ url: 'https://shop.example/v1' }],
};

const read = (file: string) => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** If a frame has `here`, its cases are merge patches of that. */
const FRAMES: Record<string, { reaches?: string; document?: object; here?: object }> = read('frames.yaml');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function patched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = patched(result[key], value);
  }
  return result;
}

export const CASES: Case[] = readdirSync(new URL('corpus/', import.meta.url)).flatMap((file) => {
  const { cases, ...shared } = read(`corpus/${file}`);
  return cases.flatMap((written: Written) => casesOf(basename(file, '.yaml'), { ...shared, ...written }));
});

function casesOf(topic: string, { reverse, change, ...written }: Written): Case[] {
  const { name, base, head = patched(base, change), expect, in: frame } = written;
  const one = { ...written, head };
  const isForAll = typeof expect === 'string' || Array.isArray(expect);
  const verdicts = isForAll ? { request: expect, response: expect } : expect;
  const own =
    isForAll && frame
      ? [caseOf(topic, name, frame, one, expect)]
      : Object.entries(verdicts).map(([each, expected]) => caseOf(topic, `${each}-${name}`, each, one, expected));
  return reverse ? [...own, ...casesOf(topic, { ...one, ...reverse, base: head, head: base })] : own;
}

function caseOf(topic: string, name: string, frame: string, written: Written, expect: Expect): Case {
  const { document, here, reaches = 'all' } = FRAMES[frame] ?? fail(`${name}: there is no frame \`${frame}\``);
  const text = (content: unknown) => {
    if (frame === 'text') return String(content);
    const filled = fill(document, here ? patched(here, content) : content) as object;
    return stringify({ ...PLAIN, ...filled, ...written.with }, { aliasDuplicateObjects: false });
  };
  const others = Object.entries(written.files ?? {}).map(([file, content]) => [file, stringify(content)] as const);
  const lines = expect === 'none' ? [] : [expect].flat();
  return {
    name,
    topic,
    files: new Map([['base.yaml', text(written.base)], ['head.yaml', text(written.head)], ...others]),
    expected: lines.map((line) => {
      const [, first, second, rule, operations = reaches] =
        /^(\w+)(?:\/(\w+))? ([\w-]+)(?: for (.+))?$/.exec(line) ?? fail(`${name}: ${line}`);
      return {
        impact: (frame === 'response' && second ? second : first) as Impact,
        rule: second ? `${frame}-${rule}` : String(rule),
        operations: operations === 'all' ? [] : operations.split(', '),
      };
    }),
  };
}

/** Fills a frame with the content of a case. Omits parts that the case does not have. */
function fill(frame: unknown, content: unknown): unknown {
  if (typeof frame === 'string' && /^\$[a-z]+$/.test(frame)) {
    return frame === '$here' ? content : (content as Record<string, unknown> | null)?.[frame.slice(1)];
  }
  if (Array.isArray(frame)) return frame.map((item) => fill(item, content));
  if (!isObject(frame)) return frame;
  const entries = Object.entries(frame).map(([key, value]) => [key, fill(value, content)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

function fail(message: string): never {
  throw new Error(message);
}

/** The corpus in a temporary folder. */
export class CorpusFiles extends Folder {
  constructor() {
    super();
    for (const { name, files } of CASES) for (const [file, text] of files) this.write(join(name, file), text);
  }

  fileOf(name: string, side: 'base' | 'head'): string {
    return join(this.root, name, `${side}.yaml`);
  }
}

/** Reads a version of a case's document. */
export const documentOf = ({ files }: Case, side: 'base' | 'head') =>
  parse(files.get(`${side}.yaml`) ?? '', { merge: true });
