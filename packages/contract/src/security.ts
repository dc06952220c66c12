/** The credentials of an operation's requests, by its security requirements. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, mapValues, operationsIn, type Requirement, schemeOf } from '@petstore-platform/openapi';
import { BEARER, type Credential, type Security } from '@petstore-platform/server-runtime/tools';

/** The requirements in a list. The lint refuses scopes that are no list. */
export const requirementsIn = (security: unknown): Requirement[] =>
  [security].flat().flatMap((one) => (isMap(one) ? mapValues(one, (scopes) => [scopes ?? []].flat()) : []));

/** The credential of a scheme. Undefined for one that the server does not serve. */
export function credentialOf(scheme: Record<string, unknown> | undefined): Credential | undefined {
  const { type, in: place, name } = Object(scheme);
  const [http, format] = [scheme?.scheme, scheme?.bearerFormat].map((text) => `${text}`.toLowerCase());
  // The proxy checks the certificate: docs/callers.md.
  if (type === 'mutualTLS') return { kind: 'key', in: 'bearer' };
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'token', in: 'bearer' };
  if (type === 'http' && http === 'bearer') return { kind: format === 'jwt' ? 'token' : 'key', in: 'bearer' };
  if (type === 'http' && http === 'basic') return { kind: 'key', in: 'basic' };
  const isPlaced = place === 'header' || place === 'query' || place === 'cookie';
  return type === 'apiKey' && isPlaced && typeof name === 'string' && name
    ? { kind: (scheme?.['x-token'] ?? speaksOfTokens(scheme)) ? 'token' : 'key', in: place, name }
    : undefined;
}

/** Whether only the description of a scheme tells that it takes tokens. */
export const speaksOfTokens = (scheme: Record<string, unknown> | undefined): boolean =>
  scheme?.type === 'apiKey' && scheme['x-token'] === undefined && /\bJWT\b/i.test(`${scheme.description}`);

export const isCertificate = (scheme: Record<string, unknown> | undefined) => scheme?.type === 'mutualTLS';

/** The schemes of a requirement. A certificate beside another credential is the proxy's alone. */
export function credentialsIn(document: Document, requirement: Requirement): string[] {
  const names = Object.keys(requirement);
  const others = names.filter((name) => !isCertificate(schemeOf(document, name)));
  return others.length > 0 ? others : names;
}

/** The security of an operation. @throws Error for a scheme that the server does not serve: it must not become open */
export function securityOf(document: Document, requirements: unknown): Security {
  return requirementsIn(requirements).map((requirement) => {
    const all = new Map<string, Credential>();
    for (const name of credentialsIn(document, requirement)) {
      const [scopes = [], credential] = [requirement[name], credentialOf(schemeOf(document, name))];
      if (!credential) throw new Error(`the server does not serve the security scheme ${name}`);
      const needed = [...new Set([...(all.get(placeOf(credential))?.scopes ?? []), ...scopes])];
      all.set(placeOf(credential), { ...credential, ...(needed.length > 0 && { scopes: needed }) });
    }
    return [...all.values()];
  });
}

/** The kind and the place of a credential. Schemes that agree in both are one, with the scopes of all. */
export const placeOf = ({ kind, in: place, name = '' }: Credential) => `${kind} ${place} ${name}`;

/** Whether the calls of some operations need more, or less, than the platform's key as a bearer. */
export const hasCredentials = (operations: { security: Security }[]) =>
  operations.some(({ security }) => {
    const all = security.map((each) => each.map(({ scopes: _scopes, ...credential }) => credential));
    return !isDeepStrictEqual(all, BEARER);
  });

const NOUNS = { key: 'an API key', token: 'an access token' };

/** The credentials of an operation, in a sentence. Empty for the platform's key, which all others need. */
export function describeSecurity(security: Security): string {
  if (isDeepStrictEqual(security, BEARER)) return '';
  const scopesOf = ({ scopes = [] }: Credential) => scopes.map((scope) => ` \`${scope}\``).join(',');
  const phraseOf = (each: Credential) => NOUNS[each.kind] + (each.scopes ? ` with${scopesOf(each)}` : '');
  const all = security.map((each) => each.map(phraseOf).join(' and ') || 'nothing');
  return `Needs ${[...new Set(all)].join(', or ') || 'no credentials'}.`;
}

/** The kinds of callers that an operation may have. */
export const callersOf = (security: Security) => {
  const kinds = security.map((all) =>
    all.length === 0 ? 'anonymous' : all.some(({ kind }) => kind === 'token') ? 'token' : 'key',
  );
  return kinds.length === 0 ? (['anonymous'] as const) : [...new Set(kinds)];
};

export const isEmpty = (value: object) => Object.keys(value).length === 0;

const TOKEN_CODES = ['token_missing', 'token_invalid', 'token_expired'];

/** The security of a contract as a whole, as its author wrote it. */
export function readSecurity(root: Document) {
  const narrower = operationsIn(root).flatMap(({ operation }) => requirementsIn(operation.security));
  const required = [...requirementsIn(root.security), ...narrower];
  const names = new Set(required.flatMap((one) => Object.keys(one)));
  const credentials = [...names].flatMap((name) => credentialOf(schemeOf(root, name)) ?? []);
  const hasTokens = credentials.some(({ kind }) => kind === 'token');
  const hasScopes = required.some((one) => Object.values(one).flat().length > 0);
  const isSilent = root.security === undefined && names.size === 0;
  return {
    /** Whether it says nothing. Beside operations with security, one without any is open. */
    isSilent,
    /** Whether people call. */
    hasTokens,
    /** Whether the platform's scheme is added. */
    needsPlatform: isSilent || (names.has('bearerAuth') && !schemeOf(root, 'bearerAuth')),
    /** Whether it has more than the platform's key. */
    isOwn: credentials.some((one) => one.kind !== 'key' || one.in !== 'bearer'),
    /** The codes of the failures that it can have. */
    codes: [...(hasTokens ? TOKEN_CODES : []), ...(hasScopes ? ['insufficient_scope'] : [])],
  };
}

/** Says less of a failed authentication than the platform does of its key as a bearer. */
export function describeCredentials(root: Document, added: ReadonlySet<string>): void {
  const { headers, responses } = Object(root.components);
  if (added.has('headers/WWW-Authenticate')) {
    const { example: _example, ...header } = headers['WWW-Authenticate'];
    headers['WWW-Authenticate'] = { ...header, schema: { type: 'string' } };
  }
  if (!added.has('responses/Unauthorized')) return;
  const { content, ...response } = responses.Unauthorized;
  responses.Unauthorized = {
    ...response,
    description: 'The credentials are missing, invalid or expired.',
    content: mapValues(content, ({ schema }) => ({ schema })),
  };
}
