/**
 * A setup file of tests that start servers in their process. To validate its document, each server compiles the schema of OpenAPI, which
 * takes half of its start. Here a process compiles it once.
 */
import { Validator } from '@seriousme/openapi-schema-validator';

// The types do not name this method.
const prototype = Validator.prototype as unknown as { getAjvValidator(version: string): object };
const { getAjvValidator } = prototype;
const compiled = new Map<string, object>();

prototype.getAjvValidator = function (version) {
  const known = compiled.get(version) ?? getAjvValidator.call(this, version);
  compiled.set(version, known);
  return known;
};
