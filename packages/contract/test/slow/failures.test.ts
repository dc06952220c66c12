/** The failures of contracts that have a body of their own for them: read, generated, served and called. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text as textIn } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../../contract-review/test/folder.ts';
import { check } from '../../src/check.ts';
import { isError } from '../../src/lint/report.ts';
import { bundleFile } from '../../src/read.ts';
import type { Json } from '../json.ts';
import { type Prepared, prepare, runtime } from '../served.ts';
import { PLATFORM, ROOT } from '../workspace.ts';

const BASE = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://api.shop.example/v1 }]
paths:
  /orders/{orderId}:
    get:
      operationId: getOrder
      summary: Get an order
      parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: The order., content: { application/json: { schema: { type: object } } } }
        '404': { description: There is none., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
    delete:
      operationId: deleteOrder
      summary: Delete an order
      parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: Deleted. }, '409': { description: It is paid., x-error-codes: [paid] } }
components:
  schemas:
    Problem:
      type: object
      required: [type, title, status]
      properties:
        type: { type: string, format: uri }
        title: { type: string }
        status: { type: integer }
        detail: { type: string }
        instance: { type: string }
        invalid: { type: array, items: { type: object, additionalProperties: true } }
`;

const { ApiError } = runtime;
const text = { type: 'string' };
const base = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties });

/** A contract with some parts changed. */
const textOf = (edit: (root: Json) => void = () => {}) => {
  const root = parse(BASE);
  edit(root);
  return stringify(root);
};
const fileOf = (edit?: (root: Json) => void) => new Folder().write('shop.yaml', textOf(edit));
const completed = async (edit?: (root: Json) => void): Promise<Json> => bundleFile(fileOf(edit), PLATFORM);
const errorBody = ({ status, code, message, errors, requestId, operation }: Json) => ({
  type: `https://errors.shop.example/${code}`,
  title: operation ?? 'none',
  status,
  detail: message,
  instance: `urn:request:${requestId}`,
  ...(errors && { invalid: errors }),
});

describe('the reading', () => {
  const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

  test('one schema of failures is that of the platform’s, too, and the code has a header', async () => {
    const { components, paths, 'x-error': own, 'x-error-codes': codes } = await completed();
    expect(own).toEqual({ schema: 'Problem', type: 'application/problem+json', message: '/detail' });
    expect(codes).toEqual(expect.arrayContaining(['paid', 'not_found', 'outcome_unknown']));
    expect(Object.keys(components.schemas)).toEqual(['Problem']);
    for (const response of Object.values<Json>(components.responses)) {
      expect(response.content).toEqual(PROBLEM);
      expect(response.headers).toHaveProperty('X-Error-Code');
    }
    expect(paths['/orders/{orderId}'].delete.responses['409']).toMatchObject({ content: PROBLEM });
  });

  test('a code and a message are found by their names, also within another object', async () => {
    const fields = { error: { type: 'object', properties: { code: text, message: text } } };
    const place = (properties: object) =>
      completed(({ components }) => {
        components.schemas.Problem = { type: 'object', properties };
      }).then(({ 'x-error': { schema: _, type: __, ...own } }) => own);
    expect(await place(fields)).toEqual({ code: '/error/code', message: '/error/message' });
    expect(await place({ errors: { type: 'array', items: fields.error } })).toEqual({
      code: '/errors/0/code',
      message: '/errors/0/message',
    });
    // A code of the platform does not fit.
    expect(await place({ code: { type: 'string', enum: ['a'] }, error: { type: 'string' } })).toEqual({
      message: '/error',
    });
  });

  test('`x-error` decides before what is found', async () => {
    const { 'x-error': own, components } = await completed((root) => {
      root.paths['/orders/{orderId}'].get.responses['404'].content = {};
      root['x-error'] = { schema: 'Problem', type: 'application/problem+json', code: '/title', message: '/detail' };
    });
    expect(own).toEqual({ schema: 'Problem', type: 'application/problem+json', code: '/title', message: '/detail' });
    expect(components.responses.NotFound).toMatchObject({ content: PROBLEM });
    expect(components.responses.NotFound.headers).not.toHaveProperty('X-Error-Code');
  });

  test('a failure with the platform’s Error is as it was', async () => {
    const { 'x-error': own, components } = await completed((root) => {
      root.paths['/orders/{orderId}'].get.responses['404'].content = {
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      };
    });
    expect(own).toBeUndefined();
    expect(components.schemas.Error.properties.code['x-extensible-enum']).toContain('paid');
  });
});

describe('a service', () => {
  let [problem, nested] = [] as unknown as [Prepared, Prepared];

  beforeAll(async () => {
    problem = await prepare(textOf());
    const withNested = textOf((root) => {
      root.components.schemas.Problem = base({ error: base({ code: text, message: text }) });
      root.paths['/orders/{orderId}'].get.responses['404'].content = {
        'application/json': { schema: { $ref: '#/components/schemas/Problem' } },
      };
    });
    nested = await prepare(withNested);
  });
  afterAll(async () => {
    await problem.close();
    await nested.close();
  });

  async function start(prepared: Prepared, options: object, run: Json = async () => ({ status: 204 })) {
    const server = await prepared.start(({ write }) => ({ deleteOrder: write('deleteOrder', run) }), options);
    const get = (target: string, init?: RequestInit) => fetch(server.origin + target, init);
    return { server, client: prepared.clientOf(server), get };
  }

  test('gives each failure in the shape of the contract, also outside of its operations', async () => {
    const { server, get } = await start(problem, { errorBody });
    const headers = { Authorization: `Bearer ${server.apiKey}` };
    const cases: [string, RequestInit, number, string, string][] = [
      ['/v1/orders/1', { headers }, 501, 'not_implemented', 'getOrder'],
      ['/v1/orders/x', { headers }, 404, 'not_found', 'getOrder'],
      ['/v1/orders/1?a=1', { headers }, 400, 'invalid_request', 'getOrder'],
      ['/v1/orders/1', {}, 401, 'api_key_missing', 'getOrder'],
      ['/v1/orders/1', { headers, method: 'PATCH' }, 405, 'method_not_allowed', 'none'],
      ['/v1/nothing', { headers }, 404, 'not_found', 'none'],
      ['/nothing', {}, 404, 'not_found', 'none'],
      ['/v1/%zz', {}, 400, 'invalid_request', 'none'],
    ];
    for (const [target, init, status, code, title] of cases) {
      const response = await get(target, init);
      expect([target, response.status, response.headers.get('Content-Type')]).toEqual([
        target,
        status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(response.headers.get('X-Error-Code')).toBe(code);
      expect(await response.json()).toMatchObject({
        type: `https://errors.shop.example/${code}`,
        ...{ status, title, instance: `urn:request:${response.headers.get('X-Request-Id')}` },
      });
    }
    // Invalid HTTP, too.
    const socket = connect(server.port, '127.0.0.1').end('nonsense\r\n\r\n');
    const [head = '', body = ''] = (await textIn(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Type: application\/problem\+json; charset=utf-8\r\n/);
    expect(head).toContain('X-Error-Code: invalid_request');
    expect(JSON.parse(body)).toMatchObject({ type: 'https://errors.shop.example/invalid_request', status: 400 });
  });

  test('answers with the platform’s Error if the function fails', async () => {
    const wrong: ((failure: Json) => unknown)[] = [
      () => {
        throw new Error('no');
      },
      () => 1n,
      () => undefined,
      () => ({ size: 1n }),
      async () => ({}),
    ];
    for (const broken of wrong) {
      // It only fails once the service runs.
      let isRunning = false;
      const { get, server } = await start(problem, {
        errorBody: (failure: Json) => (isRunning ? broken(failure) : errorBody(failure)),
      });
      isRunning = true;
      const response = await get('/v1/nothing');
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 });
      const socket = connect(server.port, '127.0.0.1').end('nonsense\r\n\r\n');
      expect(await textIn(socket)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test('has in its SDK the body, the code and the message of each failure', async () => {
    const make = ({ code, message }: Json) => ({ error: { code, message } });
    for (const [code, options, body] of [
      [problem, { errorBody }, { type: 'https://errors.shop.example/paid', detail: 'It is paid' }],
      [nested, { errorBody: make }, { error: { code: 'paid', message: 'It is paid' } }],
    ] as const) {
      const { client } = await start(code, options, async () => {
        throw new ApiError(409, 'It is paid', { code: 'paid' });
      });
      const error = await client.deleteOrder({ orderId: 1 }).catch((one: unknown) => one);
      expect(error).toMatchObject({ status: 409, code: 'paid', body });
      expect(error.message).toContain('deleteOrder failed: 409 paid: It is paid');
    }
  });

  test('is called again by its SDK as the code says', async () => {
    for (const { createTestClient, errorResponse } of [problem.built, nested.built]) {
      for (const [code, calls] of [
        ['idempotency_key_in_use', 2],
        ['conflict', 1],
      ] as const) {
        let count = 0;
        const deleteOrder = () => {
          count += 1;
          return errorResponse(409, code, 'Not now', { 'Retry-After': '0' });
        };
        const client = createTestClient({ deleteOrder }, { maxRetries: 1 });
        const error = await client.deleteOrder({ orderId: 1 }).catch((one: unknown) => one);
        expect([error.code, count]).toEqual([code, calls]);
        expect(error.message).toContain('Not now');
      }
    }
  });

  test('cannot be defined with a body that the contract does not admit, or that lacks the code', async () => {
    const fails = (prepared: Prepared, make: (failure: Json) => unknown) =>
      expect(prepared.start(undefined, { errorBody: make })).rejects;
    await fails(problem, () => ({ title: 'x', status: 400 })).toThrow(
      "a 401 of getOrder: must have required property 'type'",
    );
    await fails(problem, (failure) => ({ ...errorBody(failure), stack: '' })).toThrow('a 401 of getOrder: must NOT');
    await fails(nested, () => ({ error: { code: 'x', message: '' } })).toThrow(
      'the code idempotency_key_in_use at /error/code',
    );
    await fails(nested, () => {
      throw new Error('no');
    }).toThrow('errorBody fails for a 401: no');
  });

  test('does not compile without the function, and with one of another body', async () => {
    const define = (name: string, more: string) => `export const ${name} = defineService({ ...base${more} });\n`;
    const source = `import { defineService, operationsOf } from '@petstore-platform/server-runtime';
import { contract } from './contract.ts';
const { todo } = operationsOf(contract);
const handlers = { getOrder: todo('getOrder'), deleteOrder: todo('deleteOrder') };
const base = { name: 'shop', contract, handlers, migrations: {}, addressPlan: 'free' } as const;
${define('right', ', errorBody: ({ status, message }) => ({ type: "a:b", title: message, status })')}
// @ts-expect-error The platform's Error does not fit.
${define('none', '')}
// @ts-expect-error
${define('wrong', ', errorBody: ({ status }) => ({ status })')}`;
    writeFileSync(path.join(problem.code, 'server/define.ts'), source);
    expect(await problem.compile()).toEqual([]);
  });
});

describe('the generated function', () => {
  const failure = (schema: Json) => ({ description: 'Failed.', content: { 'application/json': { schema } } });
  const variant = (properties: Json) => ({ allOf: [PROBLEM, { properties }] });
  const number = { type: 'integer' };
  const byField = { type: 'object', additionalProperties: { type: 'array', items: text } };
  const PROBLEM = { $ref: '#/components/schemas/Problem' };
  const all: Prepared[] = [];
  afterAll(() => Promise.all(all.map(({ close }) => close())));

  /** Generates the code of a contract. `failures` has its function, and `source` the text of that. */
  async function generated(edit: (root: Json) => void) {
    const prepared = await prepare(textOf(edit));
    all.push(prepared);
    const file = path.join(prepared.code, 'server/failure.ts');
    return { ...prepared, failures: await import(file), source: readFileSync(file, 'utf8') };
  }

  test.each<[string, Json, RegExp, schema?: Json]>([
    [
      'a code of each status',
      base({ status: number, code: text, message: text }),
      /"GONE"/,
      variant({ code: { enum: ['GONE'] } }),
    ],
    [
      'a status of each response',
      base({ status: number, err: text }),
      /status, err: message/,
      variant({ status: { type: 'number', enum: [404] } }),
    ],
    ['a status as text', base({ status: text, message: text }), /String\(status\)/],
    ['no text at all', base({ errors: { type: 'object', additionalProperties: true } }), /errors/],
    [
      'a map of texts by field',
      base({ errors: byField }),
      /errors: byField\(errors \?\? \[{ pointer: "\/body", message }\]\)/,
    ],
    [
      'a text, and a map of texts',
      base({ title: text, errors: { ...byField, additionalProperties: text } }),
      /\{ title: message, errors: byField\(errors \?\? \[\], true\) }/,
    ],
    [
      'a second item of a list',
      base({ errors: { type: 'array', minItems: 2, items: base({ field: text, message: text }) } }),
      /errors: \[{ field: "text", message }, { field: "text", message: "text" }\]/,
    ],
    [
      'a tuple',
      base({ error: { type: 'array', minItems: 2, prefixItems: [text, number] }, message: text }),
      /error: \["text", \d+\]/,
    ],
    [
      'a field that only an alternative needs',
      { oneOf: [base({ kind: { const: 'lost' }, message: text }), base({ kind: { const: 'gone' }, message: text })] },
      /kind: "lost", message/,
    ],
    [
      'a time without milliseconds',
      base({ at: { ...text, format: 'date-time', pattern: ':\\d\\dZ$' }, message: text }),
      /at: "2026/,
    ],
    [
      'no name',
      undefined,
      /error: message/,
      { type: 'object', properties: { success: { type: 'boolean' }, error: text } },
    ],
  ])('makes a body with %s that the contract admits', async (_, Problem, expected, schema = PROBLEM) => {
    const { source, failures, start } = await generated((root) => {
      root.paths['/orders/{orderId}'].get.responses['404'] = failure(schema);
      if (Problem) root.components.schemas = { Problem };
      else delete root.components;
    });
    expect(source).toMatch(expected);
    await start(undefined, failures);
  });

  const Usual = base({ error: text });
  const taken = { name: ['is taken'] };
  const list = { type: 'array', items: base({ field: text, message: text }) };
  test.each<[string, Json, Json, Json, [string, number]]>([
    ['a map alone', Usual, base({ errors: byField }), { errors: taken }, ['name is taken', 1]],
    ['another text', Usual, base({ message: text }), { message: 'No' }, ['No', 0]],
    ['a map of a variant', Usual, variant({ errors: byField }), { error: 'No', errors: taken }, ['No', 1]],
    ['a list', Usual, base({ errors: list }), { errors: [{ field: 'text', message: 'No' }] }, ['No', 0]],
    [
      'a map of single texts',
      base({ message: text, errors: byField }),
      base({ fields: { ...byField, additionalProperties: text } }),
      { fields: { name: 'is taken' } },
      ['name is taken', 1],
    ],
    [
      'a status beside the text',
      Usual,
      base({ meta: base({ status_code: number, message: text }) }),
      { meta: { status_code: 409, message: 'No' } },
      ['No', 0],
    ],
  ])('writes and the SDK reads the texts of a second schema: %s', async (_, Problem, schema, body, expected) => {
    const { failures, start, clientOf } = await generated((root) => {
      for (const { get, delete: remove } of Object.values<Json>(root.paths)) {
        get.responses['404'] = failure(PROBLEM);
        get.responses['410'] = get.responses['404'];
        remove.responses['409'] = failure(schema);
      }
      root.components.schemas = { Problem };
    });
    const fails = async () => {
      throw new ApiError(409, 'No', { code: 'paid', errors: [{ pointer: '/body/name', message: 'is taken' }] });
    };
    const server = await start(({ write }) => ({ deleteOrder: write('deleteOrder', fails) }), failures);
    const error = await clientOf(server)
      .deleteOrder({ orderId: 1 })
      .catch((one: unknown) => one);
    const [message, count] = expected;
    expect(error.body).toEqual(body);
    expect(error.message).toContain(`failed: 409 paid: ${message}`);
    expect(error.errors).toHaveLength(count);
  });

  test('compiles', async () => {
    const [first, ...others] = all as [Prepared, ...Prepared[]];
    for (const [index, { code }] of others.entries())
      cpSync(path.join(code, 'server'), path.join(first.code, `server/${index}`), { recursive: true });
    expect(await first.compile()).toEqual([]);
  });

  test('has the time of a failure, no field that is not needed, and a warning for each sample', async () => {
    const [time, known] = [
      { type: 'string', format: 'date-time' },
      { type: 'string', const: 'fault' },
    ];
    const edit = (root: Json) => {
      const said = { ...text, default: 'usual', examples: ['API key not valid'] };
      root.components.schemas.Problem = base({ at: time, kind: known, rank: number, said, title: text });
      root.components.schemas.Problem.properties.help = { type: 'string', examples: ['Ask'] };
    };
    expect((await generated(edit)).source).toContain(
      '({ at: new Date().toISOString(), kind: "fault", rank: 1, said: "API key not valid", title: message })',
    );
    const samplesOf = async (contract: string) =>
      (await check(contract, ROOT)).filter(({ rule }) => rule === 'trial/samples').map(({ message }) => message);
    expect(await samplesOf(fileOf(edit))).toEqual([expect.stringContaining('no value of `/rank`, `/said`,')]);
    const silenced = fileOf((root) => edit(Object.assign(root, { 'x-lint': { 'trial/samples': 'off' } })));
    expect(await samplesOf(silenced)).toEqual([]);
    const alternatives = fileOf((root) => {
      const oneOf = ['lost', 'gone'].map((only) => base({ kind: { const: only }, title: text }));
      root.components.schemas.Problem = { oneOf };
    });
    expect(await samplesOf(alternatives)).toEqual([expect.stringContaining('no value of `/kind`,')]);
  });

  test('leaves out a failure for which it finds no body, with a warning at its place', async () => {
    const file = fileOf((root) => {
      root.paths['/orders/{orderId}'].get.responses['429'] = failure({ type: 'string', const: 'Slow' });
    });
    const problems = await check(file, ROOT);
    expect(problems.filter(isError)).toEqual([]);
    expect(problems).toContainEqual(
      expect.objectContaining({ level: 'warning', rule: 'trial/failures', pointer: expect.stringMatching(/429$/) }),
    );
  });
});
