import { Compiler } from '@petstore-platform/server-runtime/tools';
import type { Document, Schema } from './contract.ts';

/** Makes a function that says whether a value fits a schema of a normalized document, as the server decides it. */
export function fitIn(document: Document): (schema: Schema, value: unknown) => boolean {
  const compiler = new Compiler((document.components?.schemas ?? {}) as Record<string, Schema>);
  // A validator fills in defaults.
  return (schema, value) => compiler.compile(schema)(structuredClone(value));
}
