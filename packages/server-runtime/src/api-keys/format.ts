import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is the prefix of its service and 48 characters of base64url: 256 random bits, then their CRC-32. The prefix lets a
 * secret scanner find a leaked key, the checksum refuses a mistyped one without a query.
 */

const SECRET_BYTES = 32;

export function createKey(prefix: string): string {
  const secret = randomBytes(SECRET_BYTES);
  return prefix + Buffer.concat([secret, checksum(secret)]).toString('base64url');
}

/** Whether `key` could have been issued. Only the database knows whether it was. */
export function isWellFormed(prefix: string, key: string): boolean {
  const secret = key.slice(prefix.length);
  if (!key.startsWith(prefix) || !/^[\w-]{48}$/.test(secret)) return false;
  const bytes = Buffer.from(secret, 'base64url');
  return checksum(bytes.subarray(0, SECRET_BYTES)).equals(bytes.subarray(SECRET_BYTES));
}

/**
 * SHA-256 of the key, which is stored instead of it. With 256 bits of entropy it needs no salt and no stretching. Keys are
 * looked up by their hash, so that no comparison of secrets leaks its time.
 */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

const checksum = (secret: Buffer): Buffer => Buffer.from(crc32(secret).toString(16).padStart(8, '0'), 'hex');
