import { document } from '../bookstore/generated/document.ts';

type PathItem = Record<string, { operationId: string; requestBody?: object }>;

/** All operations of the bookstore. */
export function operations() {
  const paths: [path: string, item: object][] = Object.entries(document.paths);
  return paths.flatMap(([path, item]) => {
    const { parameters: _, ...methods } = item as PathItem;
    return Object.entries(methods).map(([method, { operationId: id, requestBody: body }]) => ({
      id,
      method: method.toUpperCase(),
      /** Below `/v1`, with its parameters in braces. */
      path,
      /** Undefined if it takes none. */
      body,
    }));
  });
}
