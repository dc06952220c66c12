/**
 * The golden corpus, `corpus/<topic>.yaml`. A case has a `base`, a `head` and the expected verdicts: `<impact> <rule>`, with
 * `for <operations>` unless the frame's `reaches` names them. A case with verdicts for several frames is one test for
 * each: `request-<name>`, `response-<name>`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Impact } from '../src/bump.ts';

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
  head: unknown;
  expect: Expect | Record<string, Expect>;
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

const read = (file: string) => parse(readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'));

const FRAMES: Record<string, { reaches?: string; document?: object }> = read('frames.yaml');

export const CASES: Case[] = readdirSync(new URL('corpus/', import.meta.url)).flatMap((file) => {
  const { cases, ...shared } = read(`corpus/${file}`);
  return cases.flatMap((written: Written) => casesOf(basename(file, '.yaml'), { ...shared, ...written }));
});

function casesOf(topic: string, written: Written): Case[] {
  const { name, expect } = written;
  if (typeof expect === 'string' || Array.isArray(expect))
    return [caseOf(topic, name, written.in ?? '', written, expect)];
  return Object.entries(expect).map(([frame, one]) => caseOf(topic, `${frame}-${name}`, frame, written, one));
}

function caseOf(topic: string, name: string, frame: string, written: Written, expect: Expect): Case {
  const { document = '$here', reaches = 'all' } = FRAMES[frame] ?? fail(`${name}: there is no frame \`${frame}\``);
  const text = (content: unknown) => {
    if (frame === 'text') return String(content);
    return stringify(
      { ...PLAIN, ...(fill(document, content) as object), ...written.with },
      { aliasDuplicateObjects: false },
    );
  };
  const others = Object.entries(written.files ?? {}).map(([file, content]) => [file, stringify(content)] as const);
  const lines = expect === 'none' ? [] : [expect].flat();
  return {
    name,
    topic,
    files: new Map([['base.yaml', text(written.base)], ['head.yaml', text(written.head)], ...others]),
    expected: lines.map((line) => {
      const [, impact, rule, operations = reaches] =
        /^(major|minor|patch) ([\w-]+)(?: for (.+))?$/.exec(line) ?? fail(`${name}: ${line}`);
      return {
        impact: impact as Impact,
        rule: rule as string,
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
  if (typeof frame !== 'object' || frame === null) return frame;
  const entries = Object.entries(frame).map(([key, value]) => [key, fill(value, content)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

function fail(message: string): never {
  throw new Error(message);
}

/** The corpus in a temporary folder. */
export class CorpusFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'contract-corpus-'));

  constructor() {
    for (const { name, files } of CASES) for (const [file, text] of files) this.write(join(name, file), text);
  }

  fileOf(name: string, side: 'base' | 'head'): string {
    return join(this.folder, name, `${side}.yaml`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}

/** Reads a version of a case's document. */
export const documentOf = ({ files }: Case, side: 'base' | 'head') =>
  parse(files.get(`${side}.yaml`) ?? '', { merge: true });
