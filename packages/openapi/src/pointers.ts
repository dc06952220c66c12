/** JSON pointers (RFC 6901), as fragments such as `#/paths/~1orders`. */
export type Key = string | number;

export const escaped = (key: Key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

export const pointerOf = (keys: readonly Key[]) => `#${keys.map((key) => `/${escaped(key)}`).join('')}`;

export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
