import { routerOf } from '@petstore-platform/server-runtime/tools';
import type { Operation } from '../contract.ts';
import type { Finding } from './finding.ts';

/** Values that are no word of a path. */
const VALUES = ['x1', '1'];

/** Tries that the router sends an example of each operation's path to this operation. So it sends none to a neighbour. */
export function routeFindings(basePath: string, operations: Operation[]): Finding[] {
  const routed = operations.map((one) => ({ ...one, method: one.method.toUpperCase(), path: basePath + one.path }));
  const { find, reasons } = routerOf(routed);
  return routed.flatMap(({ id, method, path, parameters }, index) => {
    const urls = [undefined, ...VALUES].map((other) => urlOf(path, parameters, other));
    const [found, ...others] = urls.map((url) => find(method, url));
    if ([found, ...others].includes(id)) return [];
    const reason = reasons.get(id) ?? `\`${method} ${urls[0]}\` reaches ${found ? `\`${found}\`` : 'no operation'}`;
    const message = `No request reaches \`${id}\`: ${reason}. Give it a path of its own.`;
    const keys = ['paths', operations[index]?.path ?? '', method.toLowerCase()];
    return [{ level: 'error' as const, rule: 'trial/routes', message, keys }];
  });
}

/** @param other - a value for each parameter. Default: its example */
function urlOf(template: string, parameters: Operation['parameters'], other?: string): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name) => {
    const one = parameters.find((each) => each.in === 'path' && each.name === name);
    const value = other ?? one?.example ?? one?.schema.example ?? one?.schema.enum?.[0] ?? VALUES[0];
    return encodeURIComponent(`${value}`.toWellFormed()) || `${VALUES[0]}`;
  });
}
