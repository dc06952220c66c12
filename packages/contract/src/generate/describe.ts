import { type Document, operationsOf } from '../contract.ts';
import { samplesFor } from './examples.ts';
import { namesOf } from './names.ts';
import { typesOf } from './schema.ts';

export type Described = ReturnType<typeof describe>;

/** An operation with its names in TypeScript, of which `name` is its method in the SDK, and a request of it. */
export type Named = Described['operations'][number];

/** A contract, as generators read it. @param variable - holds a client of the SDK in samples */
export function describe(contract: Document, variable?: string) {
  const names = namesOf(contract, variable);
  const { text: schema, typeOf, document } = typesOf(contract, names);
  const sampleOf = samplesFor(contract);
  const operations = operationsOf(contract, typeOf).map((one) => {
    // The response to a `HEAD` has no body (RFC 9110, section 9.3.2).
    const success = one.method === 'head' ? one.success.map((each) => ({ ...each, body: undefined })) : one.success;
    return { ...one, success, name: names.method(one.id), types: names.types(one.id), sample: sampleOf(one) };
  });
  // The document is for types: its schemas are in other keywords. `schema` has the types of the whole, for openapi-fetch.
  return { document, operations, names, typeOf, schema };
}
