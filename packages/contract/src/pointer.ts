/** JSON pointers (RFC 6901). */

/** The keys of a JSON pointer, such as `#/paths/~1pets`. */
export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerTo(keys: readonly (string | number)[]): string {
  return `#${keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
}
