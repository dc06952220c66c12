import { isDecodable } from '@petstore-platform/openapi-validation';
import type { HTTPMethod } from 'find-my-way';
import type { Contract, Operation } from '../contract.ts';
import { createRouter, readTemplate, routeText, type Template } from '../http/templates.ts';

type Table = Pick<Contract, 'basePath' | 'operations'>;

/**
 * The document from which fastify-openapi-glue makes the routes. Nothing in it is left to interpret: paths are in the words of the router,
 * and the plugin of the validation finds the schemas by the operation of a route.
 */
export function routesOf({ basePath, operations }: Table) {
  const templates: Record<string, Template> = {};
  const paths: Record<string, object> = {};
  // Fastify adds a HEAD to each GET that has none yet.
  const isHead = ({ method }: Operation) => method === 'HEAD';
  const all = Object.values(operations).map((operation, index) => ({ operation, index }));
  for (const { operation, index } of all.sort((one, other) => +isHead(other.operation) - +isHead(one.operation))) {
    const { id, method, path } = operation;
    const template = readTemplate(path, `${index}`);
    templates[id] = template;
    const url = template.url.slice(routeText(basePath).length);
    paths[url] = {
      ...paths[url],
      [method.toLowerCase()]: { operationId: id, responses: { default: { description: '' } } },
    };
  }
  return { templates, document: { openapi: '3.1.0', info: { title: 'Routes', version: '1' }, paths } };
}

/** The part of an operation that the router needs. */
type Routed = Pick<Operation, 'id' | 'method' | 'path'> & { parameters: readonly { name: string }[] };

/**
 * Routes operations as the server does, for the trial of a contract.
 *
 * @returns a function that finds the operation of a request, and why operations cannot be reached by URLs of their own, by their ids
 */
export function routerOf(operations: readonly Routed[]) {
  const router = createRouter();
  const reasons = new Map<string, string>();
  /** The first operation of each method and shape of a path. */
  const served = new Map<string, string>();
  const shapeOf = (method: string, path: string) => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
  const add = (method: string, { id, path }: Routed) => {
    const { url, constraints } = readTemplate(path);
    router.on(method as HTTPMethod, url, { ...(constraints && { constraints: constraints as never }) }, () => {}, id);
  };
  for (const operation of operations) {
    const { id, method, path } = operation;
    const first = served.get(shapeOf(method, path));
    if (!first) served.set(shapeOf(method, path), id);
    let reason = first ? `its URLs are those of ${first}` : reasonOf(operation);
    try {
      if (!reason) add(method, operation);
    } catch (error) {
      // The router takes 31 templates that differ only within their segments.
      reason = (error as Error).message;
    }
    if (reason) reasons.set(id, reason);
  }
  for (const operation of operations) {
    const isServed = served.get(shapeOf('GET', operation.path)) === operation.id;
    if (isServed && !served.has(shapeOf('HEAD', operation.path)) && !reasons.has(operation.id)) add('HEAD', operation);
  }
  return { find: (method: string, url: string) => router.find(method, url)?.store as string | undefined, reasons };
}

/** The methods that Fastify and the glue serve. */
const SERVED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The paths of the server itself. A contract may have `/`, which else leads to the page, and `/openapi.json`, which is at `/docs`, too. */
const RESERVED = /^\/(livez|readyz|docs(\/.*)?)$/;

/** The reason why an operation cannot be reached by its URL, by it alone, whatever others there are. */
function reasonOf({ method, path, parameters }: Routed): string | undefined {
  const [literals, names] = [0, 1].map((kind) => path.split(/\{([^{}]*)\}/).filter((_, index) => index % 2 === kind));
  const [, ...inner] = literals?.slice(0, -1) ?? [];
  const twice = names?.find((name, index) => names.indexOf(name) < index);
  const hidden = [...(names ?? []), ...parameters.map(({ name }) => name)].includes('__proto__');
  if (!SERVED_METHODS.includes(method)) return `the method ${method} is not served`;
  if (!path.startsWith('/')) return 'a path begins with a slash';
  if (/[?#]/.test(literals?.join('') ?? '')) return 'a path has no query and no fragment: declare parameters';
  if (/[{}]/.test(literals?.join('') ?? '') || names?.some((name) => !name || /[/?#]/.test(name)))
    return 'a parameter in the path needs both braces and a name without / ? #';
  if (!isDecodable(path)) return 'its path has an invalid percent-encoding';
  if (inner.includes('')) return 'nothing separates two parameters of its path';
  if (twice !== undefined) return `its path has ${twice} twice`;
  if (hidden) return 'no parameter can be called __proto__';
  if (path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment)))
    return 'clients resolve the dots in its path';
  if (RESERVED.test(path)) return 'the server has this path itself: give the API a base path';
  return undefined;
}
