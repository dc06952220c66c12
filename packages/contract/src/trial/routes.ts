import path from 'node:path';
import { type Routed, routerOf } from '@petstore-platform/server-runtime/tools';
import type { Operation } from '../contract.ts';
import type { Finding } from './finding.ts';

/** Values that are no word of a path. */
const VALUES = ['x1', '1'];

/** Tries that the router sends an example of each operation's path to this operation. So it sends none to a neighbour. */
export async function routeFindings(operations: Operation[], scratch: string): Promise<Finding[]> {
  const { operations: table } = await import(path.join(scratch, 'server/routes.ts'));
  const routed: Routed[] = Object.values(table);
  const { find, reasons } = routerOf(routed);
  return routed.flatMap(({ id, method, path: template }) => {
    const operation = operations.find((one) => one.id === id);
    const urls = [undefined, ...VALUES].map((other) => urlOf(template, operation?.parameters ?? [], other));
    const [found, ...others] = urls.map((url) => find(method, url));
    if ([found, ...others].includes(id)) return [];
    const reason = reasons.get(id) ?? `\`${method} ${urls[0]}\` reaches ${found ? `\`${found}\`` : 'no operation'}`;
    const message = `No request reaches \`${id}\`: ${reason}. Give it a path of its own.`;
    const keys = ['paths', operation?.path ?? '', method.toLowerCase()];
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
