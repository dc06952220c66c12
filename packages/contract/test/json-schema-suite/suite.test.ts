import { readFileSync } from 'node:fs';
import path from 'node:path';
import { closed } from '@petstore-platform/openapi';
import openapiValidation, { type RequestError } from '@petstore-platform/openapi-validation';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { clientValidators } from '../../src/generate/client-schemas.ts';
import { namesOf } from '../../src/generate/names.ts';
import { type Group, suite } from './suite.ts';

interface Difference {
  reason: string;
  /** The validators that differ. */
  in: ('service' | 'forms')[];
  /** The tests: file, schema and description. */
  tests?: string[];
  /** Files all of whose tests are accepted. */
  accepted?: string[];
}
const listed: Difference[] = parse(readFileSync(path.join(import.meta.dirname, 'differences.yaml'), 'utf8'));

/** The tests of all groups whose verdict is neither that of the suite nor the one that is listed, and those that are listed in vain. */
async function unlisted(
  validator: Difference['in'][number],
  groups: Group[],
  isValid: (group: Group, data: unknown) => Promise<boolean> | boolean,
): Promise<string[]> {
  const differences = listed.filter((each) => each.in.includes(validator));
  const accepted = differences.flatMap((each) => each.accepted ?? []);
  const tests = new Set(differences.flatMap((each) => each.tests ?? []));
  const found: string[] = [];
  for (const group of groups)
    for (const { description, data, valid } of group.tests) {
      const title = `${group.title} | ${description}`;
      const expected = accepted.some((file) => title.startsWith(`${file} |`)) || tests.delete(title) !== valid;
      if ((await isValid(group, data)) !== expected) found.push(title);
    }
  return [...found, ...tests].sort();
}

describe('the verdicts of JSON-Schema-Test-Suite (2020-12) are the same, but for those of differences.yaml', () => {
  test('in the validation of bodies by a service, with a pointer for each refusal', async () => {
    const { groups, schemas: written, left } = suite('#/components/schemas/');
    const references = groups.map(({ name }) => [name, { $ref: `#/components/schemas/${name}` }]);
    const { values, schemas } = closed(Object.fromEntries(references), written);
    // These name schemas by URI, which no contract does after its reading.
    expect(left).toHaveLength(72);
    const app = Fastify();
    app.setErrorHandler<RequestError>(({ statusCode, errors }, _request, reply) =>
      reply.code(statusCode).send({ errors }),
    );
    await app.register(openapiValidation, { schemas });
    for (const { name } of groups) {
      const body = { type: 'object', properties: { value: values[name] } };
      app.post(`/${name}`, { schema: { body } }, async () => ({}));
    }
    const found = await unlisted('service', groups, async ({ name, title }, value) => {
      const response = await app.inject({ method: 'POST', url: `/${name}`, payload: { value } });
      if (response.statusCode === 200) return true;
      // A body with this name is refused as a whole.
      const pointer = JSON.stringify(value).includes('"__proto__"') ? /^\/body$/ : /^\/body\/value/;
      expect(response.json().errors?.[0]?.pointer, title).toMatch(pointer);
      return false;
    });
    await app.close();
    expect(found).toEqual([]);
  });

  test('in the validators of forms', async () => {
    const { groups, schemas } = suite('#/components/schemas/');
    // Ajv compiles no `enum` without values.
    for (const name in schemas) if (schemas[name].enum?.length === 0) schemas[name] = true;
    const document = { components: { schemas }, paths: {} } as never;
    const code = clientValidators(document, [], namesOf(document));
    const validators = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const found = await unlisted('forms', groups, ({ name }, data) => validators[name](data));
    expect(found).toEqual([]);
  });
});
