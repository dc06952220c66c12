interface Known {
  /** As in `key:12`, `token:ann` or `address:192.0.2.7`. */
  readonly id: string;
  /** The owner of the key or of the subject. */
  readonly owner: string | undefined;
  readonly scopes: readonly string[];
  readonly plan: string;
}

interface KeyCaller extends Known {
  readonly kind: 'key';
  readonly claims: undefined;
}

/** The subject of a token, with its verified claims (RFC 7519, section 4). */
interface TokenCaller extends Known {
  readonly kind: 'token';
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A client without credentials. */
interface AnonymousCaller extends Known {
  readonly kind: 'anonymous';
  readonly owner: undefined;
  readonly claims: undefined;
}

type AnyCaller = KeyCaller | TokenCaller | AnonymousCaller;

/** The caller of a request, as its handler sees it. */
export type Caller<Kind extends AnyCaller['kind'] = AnyCaller['kind']> = Extract<AnyCaller, { kind: Kind }>;

interface NewToken {
  /** The owner of the rows that the token may see. */
  owner: string;
  /** The caller, if it is not the owner. Then the claim `ownerClaim` has the owner. */
  subject?: string;
  scopes?: readonly string[];
  claims?: Record<string, unknown>;
}

export type Issue = (token: NewToken) => Promise<string>;

/** A credential of a request: an API key, or a token of the issuer. */
export interface Credential {
  kind: 'key' | 'token';
  /** Its place. `bearer` and `basic` are in `Authorization`. */
  in: 'bearer' | 'basic' | 'header' | 'query' | 'cookie';
  /** Of the header, the query parameter or the cookie. */
  name?: string;
  /** All of them are needed. */
  scopes?: readonly string[];
}

/** Whether a credential is in the header `Authorization`. */
export const isAuthorization = ({ in: place, name = '' }: Credential): boolean =>
  place === 'bearer' || place === 'basic' || (place === 'header' && name.toLowerCase() === 'authorization');

/** Alternatives of credentials that are all sent. Without any, the operation is open; an empty one needs no credential. */
export type Security = readonly (readonly Credential[])[];

/** The security of an operation that has none of its own: an API key as a bearer. */
export const BEARER: Security = [[{ kind: 'key', in: 'bearer' }]];

/**
 * A JSON value that nobody changes any more, as it is that of several requests.
 *
 * @throws RangeError for one of more levels, which would exhaust the stack of what reads it
 */
export function deeplyFrozen<Value>(value: Value, levels = 100): Value {
  if (levels === 0) throw new RangeError('The value is nested too deep');
  if (isObject(value)) for (const each of Object.values(Object.freeze(value))) deeplyFrozen(each, levels - 1);
  return value;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
