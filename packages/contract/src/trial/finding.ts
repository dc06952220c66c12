import type { Key, Note } from '@petstore-platform/openapi';
import { type Document, type Operation, pascalCase } from '../contract.ts';
import { namesOf } from '../generate/names.ts';

export interface Finding extends Pick<Note, 'level' | 'rule' | 'message'> {
  /** The place in the document. */
  keys: Key[];
}

/** The places of operations and schemas by each name that generated code and messages have for them. */
export function namesIn(document: Document, operations: Operation[]): Map<string, Key[]> {
  const { schema } = namesOf(document);
  const names = new Map<string, Key[]>();
  for (const { id, method, path } of operations)
    for (const name of [path, ...['', 'Request', 'Parameters', 'Result'].map((end) => pascalCase(id) + end), id])
      names.set(name, ['paths', path, method]);
  for (const name of Object.keys(document.components?.schemas ?? {}))
    for (const each of [name, schema(name)]) names.set(each, ['components', 'schemas', name]);
  return names;
}
