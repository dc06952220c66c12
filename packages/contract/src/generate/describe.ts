import { type Document, type Operation, operationsOf } from '../contract.ts';
import { type Sample, samplesFor } from './examples.ts';
import { type Names, namesOf } from './names.ts';
import { typesOf } from './schema.ts';

/** An operation with its names in TypeScript, and a request of it. */
export interface Named extends Operation {
  /** Its method in the SDK. */
  name: string;
  types: ReturnType<Names['types']>;
  sample: Sample;
}

export type Described = ReturnType<typeof describe>;

/** A contract, as generators read it. @param variable - holds a client of the SDK in samples */
export function describe(given: Document, variable?: string) {
  const names = namesOf(given, variable);
  const { text: schema, typeOf, document } = typesOf(given, names);
  const sampleOf = samplesFor(given);
  const operations = operationsOf(given, typeOf).map((one): Named => {
    // The response to a `HEAD` has no body (RFC 9110, section 9.3.2).
    const success = one.method === 'head' ? one.success.map((each) => ({ ...each, body: undefined })) : one.success;
    return { ...one, success, name: names.method(one.id), types: names.types(one.id), sample: sampleOf(one) };
  });
  // The document is for types: its schemas are in other keywords. `schema` has the types of the whole, for openapi-fetch.
  return { document, operations, names, typeOf, schema };
}
