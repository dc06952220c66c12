import { isServed } from '../../src/media.ts';
import type { Json } from '../json.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/**
 * A document without what the platform does not serve yet: other security than a bearer key, other media types than JSON
 * of requests and successes, and parameters in other places and styles. Nothing else is changed.
 */
export function lifted(document: Json): Json {
  const root = structuredClone(document);
  const at = (ref: string) =>
    ref
      .split('/')
      .slice(1)
      .reduce<Json>((node, key) => node?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], root);
  const follow = (value: Json, depth = 0): Json =>
    value?.$ref && depth < 20 ? follow(at(value.$ref), depth + 1) : value;
  const content = (one: Json, isResponse: boolean) => {
    const [first]: Json[] = Object.values(one?.content ?? {});
    const isRead = Object.keys(one?.content ?? {}).some((type) => type === '*/*' || isServed(type, isResponse));
    if (first && !isRead) one.content = { 'application/json': one.content['application/json'] ?? first };
  };
  const parameter = (one: Json) => {
    for (const key of ['style', 'explode', 'allowReserved', 'allowEmptyValue']) delete one[key];
    if (one.content) one.schema = { type: 'string' };
    delete one.content;
    const types = (schema: Json) => [follow(schema)?.type ?? []].flat();
    const isList = one.in === 'query' && `${types(one.schema)}` === 'array' && !follow(one.schema)?.nullable;
    const values = isList ? types(follow(one.schema).items) : types(one.schema);
    if (values.some((type) => type === 'object' || type === 'array')) one.schema = { type: 'string' };
  };
  const parameters = (holder: Json) => {
    if (!Array.isArray(holder.parameters)) return;
    holder.parameters = holder.parameters.filter((one: Json) => follow(one)?.in !== 'cookie');
    for (const one of holder.parameters) if (!one.$ref) parameter(one);
  };
  const failures = new Set<Json>();
  delete root.security;
  delete root.components?.securitySchemes;
  for (const one of Object.values<Json>(root.components?.parameters ?? {})) if (!one.$ref) parameter(one);
  for (const one of Object.values<Json>(root.components?.requestBodies ?? {})) content(one, false);
  for (const item of Object.values<Json>(root.paths ?? {})) {
    parameters(item);
    for (const operation of METHODS.map((method) => item[method]).filter(Boolean)) {
      delete operation.security;
      parameters(operation);
      content(operation.requestBody, false);
      for (const [status, response] of Object.entries<Json>(operation.responses ?? {}))
        if (/^([45]|default)/i.test(status)) failures.add(follow(response));
        else content(response, true);
    }
  }
  for (const one of Object.values<Json>(root.components?.responses ?? {})) if (!failures.has(one)) content(one, true);
  return root;
}
