/**
 * A value that stays one segment of the path. openapi-fetch encodes it, but `.` and `..` survive encoding and an empty
 * value vanishes: each would ask for another resource.
 */
export function checkPathValue(what: string, value: unknown): string | number {
  if (typeof value === 'boolean' || !isScalar(value) || /^\.{0,2}$/.test(String(value))) {
    throw new TypeError(`${what} must be a number or a non-empty string other than "." and ".."`);
  }
  return value as string | number;
}

/** A value, or several, of a query parameter; undefined leaves it out. */
export function checkQueryValue(what: string, value: unknown): unknown {
  if (value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return value;
  throw new TypeError(`${what} must be a string, a finite number or a boolean`);
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  // A lone surrogate is no Unicode text and cannot be encoded (RFC 3629).
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  return typeof value === 'boolean';
}
