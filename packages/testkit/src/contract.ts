import {
  type Response as Declared,
  type Document,
  type Header,
  normalize,
  type Operation,
} from '@petstore-platform/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closed, closedWithin } from './closed-schema.ts';
import { PREFLIGHT_HEADERS, TRANSPORT_HEADERS } from './transport-headers.ts';

export type Contract = ReturnType<typeof contractOf>;

export type Received = Pick<Response, 'status' | 'headers'>;

/** The statuses for which `default` stands. They are failures of HTTP and of the server, with which any request may end. */
const BY_DEFAULT = [400, 408, 413, 417, 431, 500, 503];

/** The statuses of unknown paths and methods. A server may authenticate and count a request before it looks at these. */
const UNKNOWN = [...BY_DEFAULT, 401, 404, 405, 429];

/** The headers in which a deprecated operation announces its removal, in all of its responses. */
const ANNOUNCEMENT = ['deprecation', 'sunset', 'link'];

/**
 * Validates responses more strictly than clients may. Clients accept what a later version adds; a server must send exactly what its
 * contract declares: no other property, header, status or value of an `x-extensible-enum`.
 *
 * @param document - OpenAPI 3.1. The path of its first server is the base path
 */
export function contractOf(document: Document) {
  const base = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const { operations, schemas } = normalize(document);
  const validate = validatorOf(schemas);

  const responseOf = ({ responses }: Operation, wanted: number | 'default') =>
    responses.find(({ status }) => status === `${wanted}`);

  /** The response of the first operation that declares a status. It stands for all, because operations share common responses. */
  const shared = (status: number | 'default') => operations.flatMap((one) => responseOf(one, status) ?? []).at(0);

  /** The headers are optional, because invalid HTTP is answered before the operation is known. */
  const announcementOf = ({ deprecated, responses }: Operation): Header[] => {
    const headers = responses.flatMap((each) => each.headers);
    const announced = headers.filter(({ name }) => ANNOUNCEMENT.includes(name.toLowerCase()));
    return deprecated ? announced.map((header) => ({ ...header, required: false })) : [];
  };

  function operationOf(method: string, pathname: string): Operation | undefined {
    const found = operations.filter(
      (each) => each.method.toUpperCase() === method && matches(base + each.path, pathname),
    );
    // `/books/search` takes precedence over `/books/{bookId}`.
    const [first] = found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
    return first;
  }

  /** The declared response; undefined if the contract declares none. */
  function expected(method: string, pathname: string, status: number): Declared | undefined {
    const operation = operationOf(method, pathname);
    if (operation) {
      const response =
        responseOf(operation, status) ?? (BY_DEFAULT.includes(status) && responseOf(operation, 'default'));
      return response ? { ...response, headers: [...announcementOf(operation), ...response.headers] } : undefined;
    }
    return UNKNOWN.includes(status) ? (shared(status) ?? shared('default')) : undefined;
  }

  /** @throws Error for a missing, undeclared or invalid header */
  function expectHeaders(headers: Headers, declared: Header[], others: Record<string, RegExp>): void {
    const schemas = new Map(declared.map((header) => [header.name.toLowerCase(), header]));
    for (const [name, { required, schema }] of schemas) {
      const value = headers.get(name);
      if (value === null && required) throw new Error(`header ${name} is missing`);
      if (value === null) continue;
      const isNumber = ['integer', 'number'].includes(schema.type) && /^-?\d+(\.\d+)?$/.test(value);
      const problem = validate(schema, isNumber ? Number(value) : value);
      if (problem) throw new Error(`header ${name} is ${value}: ${problem}`);
    }
    for (const [name, value] of headers) {
      if (schemas.has(name)) continue;
      if (!others[name]) throw new Error(`header ${name} is not declared`);
      if (!others[name].test(value)) throw new Error(`header ${name} is ${value}`);
    }
  }

  /** @throws Error for a body that the response does not declare */
  function expectBody({ status, headers }: Received, { content }: Declared, body: string): void {
    if (Object.keys(content).length === 0) {
      if (body !== '') throw new Error(`there is a body: ${body}`);
      return;
    }
    const mediaType = headers.get('Content-Type') ?? 'none';
    const [type = ''] = mediaType.split(';', 1);
    const declared = content[type] ?? content[`${type.split('/', 1)[0]}/*`] ?? content['*/*'];
    if (!declared) throw new Error(`the Content-Type is ${mediaType}`);
    const { schema } = declared;
    // A text or bytes have no values to validate.
    if (schema === undefined || !/[/+]json$/.test(type)) return;
    const value: unknown = JSON.parse(body);
    const problem = validate(schema, value);
    if (problem) throw new Error(`${problem} in ${body}`);
    const isPlatforms = document['x-error'] === undefined;
    if (isPlatforms && status >= 400 && (value as { status?: number }).status !== status)
      throw new Error(`the body says ${body}`);
  }

  /** Validates a failure whose request is unknown, so that it may belong to any operation, or to none. */
  function expectFailure(response: Received, body: string, method = 'GET'): void {
    const { status, headers } = response;
    const declared = shared(status) ?? (UNKNOWN.includes(status) && shared('default'));
    if (!declared || status < 400) throw new Error(`${status} is no failure of the contract`);
    const all = [...operations.flatMap(announcementOf), ...declared.headers];
    // All headers are optional. For example, a path outside of the contract has no rate limit.
    const optional = all.map((header) => ({ ...header, required: false }));
    expectHeaders(headers, optional, transportHeaders(status));
    if (method !== 'HEAD') expectBody(response, declared, body);
  }

  /**
   * Validates a response. Outside the base path, only failures are validated.
   *
   * @param url - the URL, or its path as it was sent
   * @throws Error naming the difference
   */
  function expectContract(method: string, url: string, response: Received, body: string): void {
    // The path is used as it was sent, because `new URL` would resolve `..`, but the server does not.
    const pathname = url.startsWith('/') ? (url.split(/[?#]/, 1)[0] as string) : new URL(url).pathname;
    const { status, headers } = response;
    try {
      if (!`${decoded(pathname)}/`.startsWith(`${base}/`)) {
        if (status >= 400) expectFailure(response, body, method);
        return;
      }
      if (method === 'OPTIONS' && headers.has('Access-Control-Allow-Methods')) {
        if (status !== 204 || body !== '') throw new Error(`a preflight is 204 without a body, not ${body}`);
        expectHeaders(headers, [], PREFLIGHT_HEADERS);
        return;
      }
      const declared = expected(method === 'HEAD' ? 'GET' : method, pathname, status);
      if (!declared) throw new Error('the status is not declared');
      expectHeaders(headers, declared.headers, transportHeaders(status));
      if (method !== 'HEAD') expectBody(response, declared, body);
      else if (body !== '') throw new Error(`a HEAD has a body: ${body}`);
    } catch (error) {
      throw new Error(`${method} ${pathname} ${status}: ${(error as Error).message}`, { cause: error });
    }
  }

  return {
    expectContract,
    expectFailure,
    /** `fetch` that validates every response. */
    async checkedFetch(input: string | Request, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init);
      const response = await fetch(request);
      // A stream of events has no end.
      const isEndless = /^text\/event-stream\b/.test(response.headers.get('Content-Type') ?? '');
      expectContract(request.method, request.url, response, isEndless ? '' : await response.clone().text());
      return response;
    },
  };
}

/** Makes a function that validates a value by a closed schema. It returns the problem, or undefined. */
function validatorOf(named: Record<string, object>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values: unknown[]) => ({ enum: values }) });
  const schemas = Object.entries(named).map(([name, each]) => [name, closedWithin(each)]);
  // Schemas refer to these by `#/components/schemas/…`.
  const components = { schemas: Object.fromEntries(schemas) };
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema: object, value: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...closed(schema), components });
    compiled.set(schema, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

/** `Allow` belongs to 405 (RFC 9110 section 15.5.6). */
function transportHeaders(status: number): Record<string, RegExp> {
  return status === 405 ? { ...TRANSPORT_HEADERS, allow: /^[A-Z]+(, [A-Z]+)*$/ } : TRANSPORT_HEADERS;
}

/** A path as a server reads it: `/v1/%62ooks` is `/v1/books`, but an encoded slash separates no segments. */
function decoded(pathname: string): string {
  try {
    return pathname.replace(/[^/]+/g, (segment) => decodeURIComponent(segment).replaceAll('/', '%2F'));
  } catch {
    return pathname;
  }
}

/** Whether a path matches a template such as `/v1/books/{bookId}:lend`, with some text in place of each parameter. */
function matches(template: string, pathname: string): boolean {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^{}]*\}/g, '[^/]+');
  // A contract has few parameters in a segment, and this runs in tests.
  // oxlint-disable-next-line no-restricted-globals
  return new RegExp(`^${pattern}$`).test(decoded(pathname));
}
