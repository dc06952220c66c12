/** Requires that the server and the SDK can keep what an operation promises. */
import { MAX_BODY } from '@petstore-platform/contract-review/words';
import {
  type Note,
  notesOf,
  type Operation,
  originOf,
  type Parameter,
  type Place,
  type Reading,
  type Schema,
  schemeOf,
  styleOf,
} from '@petstore-platform/openapi';
import { isAuthorization } from '@petstore-platform/server-runtime/tools';
import { absoluteUrl, type Document, type Extensions, urlOf } from '../contract.ts';
import { NO_SCHEMA } from '../decide.ts';
import { isIdempotencyKey } from '../generate/client.ts';
import { namesOf } from '../generate/names.ts';
import { isServed, JSON_MEDIA, kindOf, mediaOf } from '../media.ts';
import { formParts } from '../parts.ts';
import {
  credentialOf,
  credentialsIn,
  isCertificate,
  isEmpty,
  placeOf,
  requirementsIn,
  speaksOfTokens,
} from '../security.ts';
import { LARGEST_BODY, LARGEST_STREAM, sizeOf } from './sizes.ts';

const MESSAGES = {
  unserved:
    'the server takes API keys (`apiKey`, `http` with `bearer` or `basic`) and tokens (`oauth2`, `openIdConnect`, `http` with `bearerFormat: JWT`). Use one of these.',
  certificate:
    'The proxy checks the client certificate of `mutualTLS`. Where no other credential is named, the server takes an API key as a bearer beside it.',
  token:
    'Its description speaks of a JWT, so it takes access tokens: `x-token: true` says so, and `x-token: false` that it takes API keys.',
  scope:
    'is no scope (RFC 6749, section 3.3): no token can have it, so that each gets 403. Write it without blanks and quotes.',
  together: 'Two credentials of one request cannot both be in `Authorization`. Make them alternatives, or move one.',
  same: 'A request has one `Authorization`: one credential of this kind is for both.',
  key: 'Remove either the parameter `Idempotency-Key`, by which a request is repeated safely, or the reason in `x-not-idempotent`.',
  open: 'Anybody may call it, so an `Idempotency-Key` belongs to the address of the client, which others may share, and the response is stored for a day. Give a reason in `x-not-idempotent` if it has a secret, as that of a login.',
  empty: 'An empty value is read as an empty text, which is refused if the schema does not admit it.',
  hidden: 'Its fields are query parameters. This one cannot be sent, as another parameter has its name:',
  twin: 'Its fields are query parameters. Rename this one, which another object has, too:',
  free: 'It takes all other query parameters, as another one does: use `deepObject`, or name the fields.',
  bodies:
    'The server knows JSON, texts and bytes of one type; in requests, `application/x-www-form-urlencoded` and `multipart/form-data`; in responses, `text/event-stream`. Not served:',
  twice: 'Rename it: the SDK has one object for the parameters of the path and of the query, and for required headers.',
  url: 'With the defaults of its variables, it is no URL: declare each variable, with a default such as `8443` for a port.',
  invalid: '`x-invalid` is 422 or, as without it, 400.',
  sunset: '`x-sunset` must be later than `x-deprecated-at`: clients need time.',
};

const WARNINGS = ['names', 'size', 'open', 'empty', 'together', 'fields', 'certificate', 'scopes', 'token'];

/** A scope (RFC 6749, section 3.3). */
const SCOPE = /^[!#-[\]-~]+$/;

/** Tells a problem of an object at a part of it. */
type Tell = (rule: string, at: object, message: string, ...keys: string[]) => void;

/** The problems of the operations of a contract. */
export function operationProblems({ document, operations, schemas }: Reading): Note[] {
  const root = originOf(document) as Place;
  const notes = notesOf(root, 'platform');
  const tell: Tell = (rule, at, message, ...keys) =>
    notes.report(WARNINGS.includes(rule) ? 'warning' : 'error', rule, (originOf(at) ?? root).at(...keys), message);
  for (const { kind, from, to, reason } of namesOf(document as Document).renames) {
    const at = kind === 'schema' ? schemas[from] : operations.find(({ id }) => id === from);
    tell('names', at ?? document, `In TypeScript, the ${kind} \`${from}\` is called \`${to}\`: ${reason}.`);
  }
  for (const server of document.servers ?? []) {
    try {
      absoluteUrl(urlOf(document as Document, server));
    } catch {
      tell('servers', server, MESSAGES.url, 'url');
    }
  }
  for (const [at, status] of [document, ...operations].map((one) => [one, Object(one.extensions ?? one)['x-invalid']]))
    if (![undefined, 400, 422].includes(status)) tell('operations', at, MESSAGES.invalid, 'x-invalid');
  const bodies = new Map<object, string>();
  const byId = new Map(operations.map((one) => [one.id, one]));
  for (const operation of operations) {
    const { method, path: template, parameters, responses, extensions } = operation;
    checkSecurity(document, operation, tell);
    if (parameters.some(isIdempotencyKey) && extensions['x-not-idempotent'] !== undefined)
      tell('operations', operation, MESSAGES.key);
    if (parameters.some(isIdempotencyKey) && isOpen(operation)) tell('open', operation, MESSAGES.open);
    for (const parameter of parameters) checkParameter(schemas, parameter, tell);
    checkFields(schemas, parameters, tell);
    const named = parameters.filter((one) => one.in !== 'cookie' && (one.in !== 'header' || one.required));
    for (const [index, parameter] of named.entries())
      if (named.slice(0, index).some(({ name }) => name === parameter.name))
        tell('operations', parameter, MESSAGES.twice, 'name');
    const contents = [
      ['requestBody', operation.body] as const,
      ...responses.map((one) => [`responses ${one.status}`, one] as const),
    ];
    for (const [name, one] of contents) {
      const others = Object.keys(one?.content ?? {}).filter((type) => !isServed(type, name !== 'requestBody'));
      if (one && others.length > 0)
        bodies.set(one, `${method.toUpperCase()} ${template} ${name} (${others.join(', ')})`);
    }
    checkSize(document, operation, tell);
    checkDeprecation(operation, byId, tell);
  }
  const [first] = bodies.keys();
  if (first) tell('operations', first, `${MESSAGES.bodies} ${[...bodies.values()].join('; ')}.`, 'content');
  return notes.all();
}

/** Whether some callers have no credentials. */
const isOpen = ({ security }: Operation) => {
  const requirements = requirementsIn(security);
  return requirements.length === 0 || requirements.some(isEmpty);
};

/** Requires that the server reads the credentials of an operation. */
function checkSecurity(document: object, operation: Operation, tell: Tell): void {
  const { security } = operation;
  const at = originOf(operation)?.value.security ? operation : document;
  for (const requirement of requirementsIn(security)) {
    for (const [name, scopes] of Object.entries(requirement)) {
      if (isCertificate(schemeOf(document, name))) tell('certificate', at, MESSAGES.certificate, 'security');
      for (const scope of scopes.filter((one) => !SCOPE.test(one)))
        tell('scopes', at, `\`${scope}\` ${MESSAGES.scope}`, 'security');
    }
    const credentials = credentialsIn(document, requirement).flatMap((name) => {
      const scheme = schemeOf(document, name);
      const credential = credentialOf(scheme);
      if (scheme && speaksOfTokens(scheme)) tell('token', scheme, MESSAGES.token);
      if (!scheme)
        tell('security', at, `There is no security scheme \`${name}\`: add it to \`components\`.`, 'security');
      else if (!credential) {
        const type = [scheme.type, scheme.scheme].filter(Boolean).join(' ');
        tell('security', scheme, `\`${name}\` is of the type ${type}: ${MESSAGES.unserved}`);
      }
      return credential ?? [];
    });
    const placed = credentials.filter(isAuthorization);
    if (new Set(placed.map(placeOf)).size > 1) tell('security', at, MESSAGES.together, 'security');
    else if (placed.length > 1) tell('together', at, MESSAGES.same, 'security');
  }
}

function checkParameter(schemas: Record<string, Schema>, parameter: Parameter, tell: Tell): void {
  const written = originOf(parameter)?.value ?? {};
  if (written.allowEmptyValue === true) tell('empty', parameter, MESSAGES.empty, 'allowEmptyValue');
  const { reason } = styleOf(schemas, parameter);
  if (parameter.mediaType !== undefined) tell('operations', parameter, NO_SCHEMA, 'content');
  else if (reason) tell('operations', parameter, reason, written.style === undefined ? 'schema' : 'style');
}

/** Requires that the names in a query say to which parameter they belong. */
function checkFields(schemas: Record<string, Schema>, parameters: Parameter[], tell: Tell): void {
  const inQuery = parameters
    .filter((one) => one.in === 'query' && one.mediaType === undefined)
    .map((parameter) => ({ parameter, ...styleOf(schemas, parameter) }));
  const spread = inQuery.filter(({ style }) => style?.of === 'object' && style.explode);
  const others = inQuery.filter((one) => one.reason === undefined && !spread.includes(one));
  const plain = new Set(others.map(({ parameter }) => parameter.name));
  const taken = new Set<string>();
  let isOpen = false;
  for (const { parameter, style } of spread) {
    if (style?.style !== 'form') continue;
    const { names = [] } = style;
    const hidden = names.find((name) => plain.has(name));
    if (hidden !== undefined) tell('fields', parameter, `${MESSAGES.hidden} \`${hidden}\`.`, 'schema');
    const twice = names.find((name) => taken.has(name));
    if (twice !== undefined) tell('operations', parameter, `${MESSAGES.twin} \`${twice}\`.`, 'schema');
    if (!style.names && isOpen) tell('operations', parameter, MESSAGES.free, 'schema');
    isOpen ||= !style.names;
    for (const name of names) taken.add(name);
  }
}

/** Tells a schema of a body that allows more than the server reads. */
function checkSize(document: object, operation: Operation, tell: Tell): void {
  const { 'x-max-body': limit }: Extensions = operation.extensions;
  const [type = JSON_MEDIA, media] = mediaOf(operation.body?.content);
  const kind = kindOf(type);
  const largest = kind === 'bytes' || kind === 'parts' || kind === 'text' ? LARGEST_STREAM : LARGEST_BODY;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0 && limit <= largest))
    tell('operations', operation, `It is a number of bytes, up to ${largest}.`, 'x-max-body');
  if (!operation.body) return;
  const { files, refused } = formParts(document as Document, kind, media ?? {});
  for (const [name, reason] of Object.entries(refused))
    tell('operations', operation.body, `\`${name}\`: ${reason}`, 'content', type, 'encoding', name);
  const most = limit ?? MAX_BODY;
  const hasFiles = Object.keys(files).length > 0;
  if (limit === undefined && (kind === 'bytes' || hasFiles))
    tell('size', operation.body, `The server reads ${MAX_BODY} bytes: set \`x-max-body\` of the operation.`, 'content');
  const size = sizeOf(document, media?.schema);
  if (size <= most) return;
  const message = `The schema allows bodies of ${size} bytes, and the server reads ${most}: set \`x-max-body\` of the operation.`;
  tell('size', operation.body, message, 'content');
}

/** Requires that a sunset is later than the deprecation, and that the replacement exists and is not deprecated itself. */
function checkDeprecation(operation: Operation, byId: ReadonlyMap<string, Operation>, tell: Tell): void {
  if (!operation.deprecated) return;
  const { 'x-deprecated-at': start, 'x-sunset': end, 'x-replaced-by': replacedBy }: Extensions = operation.extensions;
  // ISO dates sort as text.
  if (start && end && end <= start) tell('deprecation', operation, MESSAGES.sunset, 'x-sunset');
  const { operationId, parameters } = Object(replacedBy) as Partial<NonNullable<typeof replacedBy>>;
  if (operationId === undefined) return;
  const successor = byId.get(operationId);
  if (!successor || successor.deprecated) {
    const message = `\`${operationId}\` is deprecated itself, or no operation of this contract.`;
    tell('deprecation', operation, message, 'x-replaced-by', 'operationId');
  }
  const linked = successor?.parameters.filter((one) => one.in === 'query' || one.in === 'path').map(({ name }) => name);
  for (const name of Object.keys(parameters ?? {}).filter((each) => linked?.includes(each) === false)) {
    const message = `\`${operationId}\` has no such query or path parameter.`;
    tell('deprecation', operation, message, 'x-replaced-by', 'parameters', name);
  }
}
