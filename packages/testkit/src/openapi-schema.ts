/**
 * A setup file of tests that start servers in their process. At its start, each server compiles the schema of OpenAPI, the schema of
 * schemas, and the schemas of its contract, which takes most of the time. Here a process compiles each once.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';

// The types do not name this method.
const prototype = Validator.prototype as unknown as { getAjvValidator(version: string): object };
const { getAjvValidator } = prototype;
const ofVersions = new Map<string, object>();

prototype.getAjvValidator = function (version) {
  const validator = ofVersions.get(version) ?? getAjvValidator.call(this, version);
  ofVersions.set(version, validator);
  return validator;
};

const { compile, validateSchema } = Ajv2020.prototype;
const checker = new Ajv2020({ strict: false });
const compiled = new Map<string, ValidateFunction>();

Ajv2020.prototype.validateSchema = (...args) => validateSchema.apply(checker, args);
Ajv2020.prototype.compile = function (this: Ajv2020, schema: AnySchema) {
  const { strict, allErrors, useDefaults } = this.opts;
  const key = JSON.stringify([strict, allErrors, useDefaults, schema]);
  const validate = compiled.get(key) ?? compile.call(this, schema);
  compiled.set(key, validate);
  return validate;
} as typeof compile;
