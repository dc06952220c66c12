import type { Operation } from './operations.ts';

/**
 * The headers that announce a removal, for every response of a deprecated operation.
 *
 * - `Deprecation: @<unix seconds>` (RFC 9745)
 * - `Sunset: <HTTP date>` (RFC 8594)
 * - `Link: <…>; rel="successor-version"` (RFC 5829) to what replaces it
 */
export function deprecationHeaders(
  operation: Operation,
  operations: Map<string, Operation>,
  basePath: string,
): Record<string, string> {
  const { deprecation } = operation;
  if (!deprecation) return {};
  const successor = operations.get(deprecation.replacedBy.operationId);
  const query = new URLSearchParams(deprecation.replacedBy.parameters).toString();
  const target = `${basePath}${successor?.path}${query && `?${query}`}`;
  return {
    Deprecation: `@${deprecation.at.getTime() / 1000}`,
    Sunset: deprecation.sunset.toUTCString(),
    Link: `<${target}>; rel="successor-version"`,
  };
}
