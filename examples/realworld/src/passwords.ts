import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, Buffer>(scrypt);

/** The hash of a password, after its salt. */
export const hashOf = async (password: string, salt = randomBytes(16).toString('base64')) =>
  `${salt} ${(await derive(password, salt, 32)).toString('base64')}`;

/** An unknown address takes as long as a wrong password. */
const NOBODY = await hashOf(randomBytes(16).toString('base64'));

export async function isPassword(password: string, stored = NOBODY): Promise<boolean> {
  const [salt] = stored.split(' ');
  return timingSafeEqual(Buffer.from(await hashOf(password, salt)), Buffer.from(stored));
}
