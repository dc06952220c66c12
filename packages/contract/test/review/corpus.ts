/**
 * The golden corpus: `corpus/<topic>.yaml`, in which a case is a `base`, a `head` and what is expected of the review:
 * `<impact> <rule>`, and `for <operations>` where the frame's `reaches` does not say which. A case whose `expect` has
 * one verdict for each of several frames stands for as many: `request-<name>`, `response-<name>`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Impact } from '../../src/review/finding.ts';

type Expect = string | string[];

/** A case as it is written, and what holds for all of its topic. */
interface Written {
  name: string;
  why?: string;
  in?: string;
  /** Parts of the document that are the same before and after. */
  with?: object;
  /** Other files of the contract, before and after. */
  files?: Record<string, unknown>;
  base: unknown;
  head: unknown;
  expect: Expect | Record<string, Expect>;
}

export interface Case {
  name: string;
  topic: string;
  /** The texts by file name, `base.yaml` and `head.yaml` among them. */
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

/** A frame with a case's content. What the case does not have is left out. */
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

/** The corpus as files in a temporary folder. */
export class CorpusFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'petstore-corpus-'));

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

/** A version of a case's document, read. */
export const documentOf = ({ files }: Case, side: 'base' | 'head') =>
  parse(files.get(`${side}.yaml`) ?? '', { merge: true });
