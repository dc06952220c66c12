import { freeName, operationsIn } from '@petstore-platform/openapi';
import { type Document, pascalCase, STABILITIES } from '../contract.ts';

/** The package with what all SDKs share. */
export const CLIENT_RUNTIME = '@petstore-platform/client-runtime';
export const RUNTIME = '@petstore-platform/server-runtime';

const KINDS = ['Parameters', 'Request', 'Response'] as const;

/** The names in TypeScript for the schemas and operations of a contract. All names of one module are different. */
export type Names = ReturnType<typeof namesOf>;

const mapKinds = (name: (kind: string) => string) =>
  Object.fromEntries(KINDS.map((kind) => [kind, name(kind)])) as Record<(typeof KINDS)[number], string>;

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Exports and imports of the generated modules, for an SDK called `Service`. */
const OWN = words(`
  Call CallResult PagedCall PageResult createClient ErrorBody ErrorCode FieldFailure FetchClient paths Environment Operations
  OperationFailures RateLimit RateLimitWindow Around CallInfo FailureCodes DeclaredFailure Middleware CallLimits FetchOptions
  FetchCall FetchCallArguments FetchCallOptions FetchCallResult CallOptions IdempotentCallOptions RequestOptions ClientOptions Fetch RetryEvent Issue StandardSchema standardSchema types
  validators FailureBody FailureCode Handlers JsonText SafeOperation Schemas WithDefaults WithFiles Callers Events EventOptions EventStream
  StreamOptions UploadOptions`);

/** Types and values of JavaScript that generated code uses, and types that have no name of their own. */
const LANGUAGE = words(`
  Array BigInt Boolean Date Error Exclude Function Infinity JSON Map Math NaN Number Object Omit Partial Promise Readonly Record RegExp
  Required Set String Symbol any asserts bigint boolean constructor globalThis infer intrinsic is keyof never number object readonly string symbol
  undefined unique unknown`);

/** Members of a client. With `then`, it could not be awaited, and `toJSON` would answer for it. */
const MEMBERS = new Set(['fetchClient', 'withOptions', 'request', 'then', 'toJSON', ...Object.keys(STABILITIES)]);

/** The names that Ajv gives to its parts of the validators, and names in place of those that it refuses. */
const OF_VALIDATORS = /^(validate|schema|func|pattern|formats|keyword|default|root|wrapper|obj|other)\d+$/;

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** Whether a constant may have a name. */
export function isBindable(name: string): boolean {
  if (!IDENTIFIER.test(name) || name === 'await') return false;
  try {
    new Function(`'use strict'; const ${name} = 0;`);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param variable - holds a client of the SDK in samples, and gives its classes their names
 */
export function namesOf(document: Document, variable = 'service') {
  const service = pascalCase(variable);
  const derived = [`${service}Client`, `${service}Error`, `is${service}Error`];
  const isReserved = (name: string) =>
    OWN.has(name) || LANGUAGE.has(name) || derived.includes(name) || OF_VALIDATORS.test(name) || !isBindable(name);
  const isMember = (name: string) =>
    MEMBERS.has(name) || name in {} || !/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name);
  const ids = operationsIn(document).flatMap(({ operation }) => operation.operationId ?? []);
  const schemas = freeNames(Object.keys(document.components?.schemas ?? {}), isReserved, 'Schema', (name) => [
    name,
    pascalCase(name),
    `${pascalCase(name)}Model`,
  ]);
  // This one is the platform's.
  if (schemas.has('Error')) schemas.set('Error', 'ErrorBody');
  const methods = freeNames(ids, isMember, 'operation', (name) => [name, `${name}Operation`]);
  const taken = new Set(schemas.values());
  const typeOf = (id: string, kind: string) => {
    const base = pascalCase(methods.get(id) ?? id);
    const name = firstFree([base + kind, `${base}Operation${kind}`], (each) => taken.has(each) || isReserved(each));
    taken.add(name);
    return name;
  };
  const types = new Map(ids.map((id) => [id, mapKinds((kind) => typeOf(id, kind))]));
  const renamesOf = (kind: 'schema' | 'operation', all: Map<string, string>) =>
    [...all].flatMap(([from, to]) => {
      const reason = IDENTIFIER.test(from) ? 'the SDK or the language has the name' : 'it is no identifier';
      return from === to || from === 'Error' ? [] : [{ kind, from, to, reason }];
    });
  return {
    schema: (name: string) => schemas.get(name) ?? name,
    /** The method of the SDK for an `operationId`. */
    method: (id: string) => methods.get(id) ?? id,
    /** The types of the parameters, the request and the response of an operation. */
    types: (id: string) => types.get(id) ?? mapKinds((kind) => pascalCase(id) + kind),
    /** The names in TypeScript that are not those of the contract, and why. */
    renames: [...renamesOf('schema', schemas), ...renamesOf('operation', methods)],
  };
}

/**
 * A name in TypeScript for each name. Those that are free stay; the others give way to these, and to those before them.
 *
 * @param other - put before a name that begins with no letter
 * @param candidatesOf - names to try, by the words of a name
 */
function freeNames(
  names: string[],
  isTaken: (name: string) => boolean,
  other: string,
  candidatesOf: (words: string) => string[],
): Map<string, string> {
  const used = new Set(names.filter((name) => !isTaken(name)));
  const renamed = names.map((name): [string, string] => {
    if (!isTaken(name)) return [name, name];
    const [first = '', ...rest] = name
      .normalize('NFKC')
      .split(/[^\p{ID_Continue}]+/u)
      .filter(Boolean);
    const joined = [first, ...rest.map(pascalCase)].join('');
    const base = IDENTIFIER.test(joined) ? joined : `${other}${pascalCase(joined)}`;
    const free = firstFree(candidatesOf(base), (each) => used.has(each) || isTaken(each));
    used.add(free);
    return [name, free];
  });
  return new Map(renamed);
}

/** The first name that is free, or the last one with a number. */
function firstFree(candidates: string[], isTaken: (name: string) => boolean): string {
  return candidates.find((each) => !isTaken(each)) ?? freeName(`${candidates.at(-1)}`, isTaken);
}
