import { Compiler } from '@petstore-platform/server-runtime/tools';
import type { Document, Schema } from './contract.ts';

/**
 * Makes a function that says whether a value fits a schema of a normalized document, as the server decides it. If schemas do not compile,
 * all values fit: the lint names the fault.
 */
export function fitIn(document: Document): (schema: Schema, value: unknown) => boolean {
  let compiler: Compiler | undefined;
  return (schema, value) => {
    try {
      compiler ??= new Compiler((document.components?.schemas ?? {}) as Record<string, Schema>);
      // A validator fills in defaults.
      return compiler.compile(schema)(structuredClone(value));
    } catch {
      return true;
    }
  };
}
