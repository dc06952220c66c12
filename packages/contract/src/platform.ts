/** Adds the platform's part to a contract: what the platform does for every operation, before anything else reads it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Any,
  bundle,
  type Document,
  from,
  isMap,
  operationsIn,
  type Report,
  resolve,
  Source,
} from '@petstore-platform/openapi';
import { decide } from './decide.ts';
import { errorBodyIn, isFailure, listCodes, withFailures } from './failures.ts';
import { JSON_MEDIA } from './media.ts';
import { factsOf, RULES, type Rule } from './rules.ts';
import { describeCredentials, readSecurity } from './security.ts';

/** The places of the platform's part in a repository: the platform's own one, and the copy that others keep. */
export const PLATFORMS = ['packages/contract/platform.yaml', 'openapi/platform.yaml'];

/** The platform's part of this version, with which contracts are generated and linted, also where the copy is missing or older. */
export const PLATFORM = path.join(import.meta.dirname, '../platform.yaml');

const BANNER = '# What the platform adds to each contract, copied by `contract generate`. Do not edit.\n\n';

/**
 * The file with the platform's additions to the contracts of a repository, or of one side of a review. Undefined without one. A review
 * adds its own to each side, so that it shows what an upgrade of the platform changes.
 */
export function platformIn(root: string): string | undefined {
  return PLATFORMS.map((file) => path.join(root, file)).find((file) => existsSync(file));
}

/** The copy that a repository should have, with its path from the root. Undefined for the platform's own repository. */
export function platformCopy(root: string): { file: string; text: string } | undefined {
  const [source = '', file = ''] = PLATFORMS;
  return existsSync(path.join(root, source)) ? undefined : { file, text: BANNER + readFileSync(PLATFORM, 'utf8') };
}

/** Makes a reference to a component of the platform, and adds the component. */
type Refer = (kind: string, name: string) => { $ref: string };

/**
 * Completes a contract. Each operation gets what the platform decides where the contract is silent, and its part of {@link RULES}. The
 * document gets the components for these, the security scheme and the plans of the platform. The contract's own codes are added to
 * those of a failure. A component of the contract takes precedence if it fits.
 *
 * @param written - the contract in one piece
 */
export function addPlatform(written: Document, platformFile: string, report: Report): Document {
  const { components: all, ...platform } = bundle(new Source(platformFile), report);
  const root = decide(written, report);
  const security = readSecurity(root);
  all.schemas.Error.properties.code['x-extensible-enum'].push(...security.codes);
  listCodes(root, all.schemas.Error);
  const failures = errorBodyIn(root, (schema) => isError(root, schema, all.schemas.Error), report);
  const components = failures ? withFailures(root, all, failures) : all;
  const content = () => failures?.content ?? { [JSON_MEDIA]: { schema: refer('schemas', 'Error') } };
  const needed = new Set<string>();
  const added = new Set<string>();
  const refer: Refer = (kind, name) => {
    const [key, component] = [`${kind}/${name}`, components[kind][name]];
    if (!needed.has(key)) {
      const declared = resolve(root, root.components?.[kind]?.[name]);
      const misfit = misfitOf(root, declared, component);
      if (misfit) {
        const message = `The platform has ${kind} \`${name}\` of its own: this one is read as \`Own${name}\`. ${misfit}`;
        report('warning', 'platform', declared, message);
        rename(root, kind, name, `Own${name}`);
      }
      needed.add(key);
      if (!declared || misfit) added.add(key);
      if (added.has(key))
        for (const [, of = '', part = ''] of JSON.stringify(component).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
          if (components[of]?.[part]) refer(of, part);
    }
    return { $ref: `#/components/${key}` };
  };
  if (security.hasTokens && !root['x-rate-limit-plans']) {
    root['x-rate-limit-plans'] = USERS;
    report('warning', 'plans', root, PLANS);
  }
  root['x-rate-limit-plans'] ??= platform['x-rate-limit-plans'];
  if (security.isSilent) root.security = [{ bearerAuth: [] }];
  if (security.needsPlatform) refer('securitySchemes', 'bearerAuth');
  for (const { item, method, operation } of operationsIn(root))
    if (isMap(operation.responses)) completeOperation(item, method, { root, refer, components, content });
  if (added.size > 0) root.components = withAdded(root.components ?? {}, components, added);
  if (security.isOwn) describeCredentials(root, added);
  return root;
}

/** Whether a schema is the platform's Error, or the contract's own one that can replace it. */
const isError = (root: Document, schema: Any, platform: Any): boolean =>
  schema?.$ref === '#/components/schemas/Error' && misfitOf(root, resolve(root, schema), platform) === undefined;

/** The components of a contract with the added ones, in the platform's order. */
function withAdded(declared: Any, platform: Any, added: Set<string>): Any {
  const kinds = Object.keys({ ...platform, ...declared }).map((kind) => {
    const copied = Object.entries(platform[kind] ?? {}).filter(([name]) => added.has(`${kind}/${name}`));
    return [kind, { ...declared[kind], ...Object.fromEntries(copied) }] as const;
  });
  return Object.fromEntries(kinds.filter(([kind, components]) => declared[kind] || Object.keys(components).length > 0));
}

/** Gives a component another name, and all that refers to it. */
function rename(root: Any, kind: string, from: string, to: string): void {
  const [old, now] = [`#/components/${kind}/${from}`, `#/components/${kind}/${to}`];
  const visit = (node: Any): void => {
    if (typeof node !== 'object' || node === null) return;
    if (node.$ref === old) node.$ref = now;
    for (const value of Object.values(node)) visit(value);
  };
  visit(root);
  root.components[kind] = Object.fromEntries(
    Object.entries(root.components[kind]).map(([name, one]) => [name === from ? to : name, one]),
  );
}

/** The reason why a component of the contract cannot replace the platform's of the same name. Undefined if it can, or there is none. */
function misfitOf(root: Document, declared: Any, platform: Any): string | undefined {
  if (!declared) return undefined;
  const name = 'To replace it, give it';
  const at = (value: Any, keys: string[]) => keys.reduce((node, key) => Object(node)[key], value);
  for (const keys of [['type'], ['scheme'], ['in'], ['name'], ['schema', 'type']]) {
    const [wanted, found] = [at(platform, keys), at(declared, keys)];
    // A string fits in any case, because every header is one.
    const fits = `${found}`.toLowerCase() === `${wanted}`.toLowerCase() || (keys.length > 1 && found === 'string');
    if (wanted !== undefined && !fits)
      return `${name} \`${keys.join(': { ')}: ${wanted}${keys.length > 1 ? ' }' : ''}\`.`;
  }
  if (!platform.properties) return undefined;
  const [fields, required]: [string[], string[]] = [platform.required ?? [], declared.required ?? []];
  const fits =
    required.length === fields.length && fields.every((one) => required.includes(one) && declared.properties?.[one]);
  if (!fits) return `${name} the required fields ${fields.join(', ')}, and no others.`;
  const other = fields.find((field) => {
    const { type } = Object(resolve(root, declared.properties[field]));
    return type !== undefined && `${[type].flat()}` !== platform.properties[field].type;
  });
  return other && `${name} \`properties: { ${other}: { type: ${platform.properties[other].type} } }\`.`;
}

/** The plans of an app, of which one page takes several requests. */
const USERS = {
  free: { perMinute: 600, perDay: 10_000 },
  pro: { perMinute: 3_000, perDay: 100_000 },
  business: { perMinute: 10_000, perDay: 1_000_000 },
  enterprise: { perMinute: null, perDay: null },
};
const PLANS =
  'As people use it, and a page of an app takes several requests, `free` has 600 a minute, `pro` 3,000 and `business` 10,000: write `x-rate-limit-plans` for others.';

interface Means {
  root: Document;
  refer: Refer;
  /** Components of the platform. */
  components: Any;
  /** The content of a failure. */
  content(): Any;
}

function completeOperation(item: Any, method: string, means: Means) {
  const { root, refer, components } = means;
  const operation = item[method];
  const lists = [item.parameters ?? [], operation.parameters ?? []];
  if (!lists.every(Array.isArray)) return;
  const parameters = lists.flat().flatMap((each) => resolve(root, each) ?? []);
  const has = (place: string, name = '') =>
    parameters.some((each) => each.in === place && (!name || `${each.name}`.toLowerCase() === name.toLowerCase()));
  // The responses are copied, because operations may share an anchor.
  const responses: Any = { ...operation.responses };
  const facts = factsOf(root, operation, method, has);
  const isUnprocessable =
    (operation['x-invalid'] ?? root['x-invalid']) === 422 || ('422' in responses && !('400' in responses));
  if (isUnprocessable) operation['x-invalid'] = 422;
  /** The responses of a rule. One that does not fit has the status that the contract decides. */
  const responsesOf = ({ responses: { 400: invalid, ...others } = {} }: Rule) =>
    invalid === undefined ? others : { [isUnprocessable ? '422' : '400']: invalid, ...others };
  const rules = RULES.filter((rule) => facts[rule.if]);
  const lacked = rules.flatMap(({ parameters = [] }) =>
    parameters.filter((name) => !has(components.parameters[name].in, components.parameters[name].name)),
  );
  if (lacked.length > 0)
    operation.parameters = [...(operation.parameters ?? []), ...lacked.map((name) => refer('parameters', name))];
  const headers = rules.flatMap((rule) => rule.headers ?? []);
  const failures: Record<string, string> = Object.assign({ 401: 'Unauthorized' }, ...rules.map(responsesOf).reverse());
  for (const [status, value] of Object.entries(responses))
    responses[status] = completeResponse(status, value, headers, failures, means);
  for (const [status, name] of rules.flatMap((rule) => Object.entries(responsesOf(rule))))
    if (!(status in responses)) responses[status] = refer('responses', name);
  operation.responses = responses;
}

/** Completes a response that the contract declares, with the headers of its status, and the body of failures if one has none. */
function completeResponse(
  status: string,
  written: Any,
  headers: string[],
  failures: Record<string, string>,
  { root, refer, components, content }: Means,
): Any {
  const found = resolve(root, written);
  if (!isMap(found)) return written;
  const fails = isFailure(status);
  const ofFailure: Any = components.responses[failures[status] ?? 'OtherFailure'].headers;
  const wanted = fails ? Object.keys(ofFailure) : headers;
  const { description, headers: declared, ...others } = found;
  const names = Object.keys(declared ?? {}).map((name) => name.toLowerCase());
  const lacked = wanted.filter((name) => !names.includes(name.toLowerCase()));
  const body = fails && !others.content && content();
  if (lacked.length === 0 && !body) return written;
  const header = (name: string) => (fails && !ofFailure[name].$ref ? ofFailure[name] : refer('headers', name));
  const added = Object.fromEntries(lacked.map((name) => [name, header(name)]));
  const response = { description, headers: { ...declared, ...added }, ...others, ...(body && { content: body }) };
  // A shared one is completed in its place, but not with the headers of one status, as others may share it.
  const isShared = written.$ref && (!fails || lacked.every((name) => components.responses.OtherFailure.headers[name]));
  if (!isShared) return from(found, response);
  Object.assign(found, response);
  return written;
}
