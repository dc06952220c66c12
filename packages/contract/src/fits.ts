import { mapValues, rebuild, withoutAnnotations } from '@petstore-platform/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document, Schema } from './contract.ts';

/** Makes a function that says whether a value fits a schema of a normalized document. */
export function fitIn(document: Document): (schema: Schema, value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateSchema: false,
    multipleOfPrecision: 9,
    ownProperties: true,
  });
  addFormats.default(ajv);
  const schemas = mapValues(document.components?.schemas ?? {}, withoutAnnotations);
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  return (schema, value) => {
    const own = rebuild(withoutAnnotations(schema), 'schema', ({ $ref, ...rest }) =>
      $ref ? { ...rest, $ref: `contract${$ref}` } : rest,
    );
    return ajv.validate(own, value) === true;
  };
}
