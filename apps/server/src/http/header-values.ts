import type { IncomingMessage } from 'node:http';

/**
 * Every value of a header that may be sent once only: `headers` has the first of them, `headersDistinct` all, but sorts all
 * headers for it.
 *
 * @param name - in lower case
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter(
    (_value, index) =>
      index % 2 === 1 && rawHeaders[index - 1]?.length === name.length && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}
