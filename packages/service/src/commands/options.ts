import { checked, integer, MAX_LIMIT } from '@petstore-platform/server-runtime/operate';
import { InvalidArgumentError } from 'commander';

/** Readers of the options of `keys`. */

export const parseText = checked(
  'one line of at most 100 printable characters',
  (value) => /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u.test(value.trim()),
  (value) => value.trim(),
);

/** Scopes (RFC 6749, section 3.3), separated by commas. An empty list takes all away. */
export const parseScopes = checked(
  'scopes of the contract without spaces, separated by commas',
  (value) => /^([!#-+\--[\]-~]+(,[!#-+\--[\]-~]+)*)?$/.test(value),
  (value) => (value === '' ? [] : [...new Set(value.split(','))]),
);

/** Adds a claim to those before. */
export const collectClaim = (value: string, claims: Record<string, string>) => {
  const [, name, text] = /^([\w.:/-]+)=(.*)$/s.exec(value) ?? [];
  if (name === undefined || text === undefined) throw new InvalidArgumentError('It must be a claim, as in plan=pro');
  return { ...claims, [name]: text };
};

export const parseLimit = integer(1, MAX_LIMIT);

export const parseId = checked('the id of a key', (value) => /^\d{1,15}$/.test(value), Number);

/** A date without a time is its first moment in UTC. */
export const parseExpiry = checked(
  'never, a date like 2027-01-31, or a time like 2027-01-31T12:00:00Z',
  (value) => value === 'never' || isTime(value),
  (value) => (value === 'never' ? value : new Date(value)),
);

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a duration in milliseconds. */
export const parseDuration = checked(
  'a duration like 30m, 24h or 7d',
  (value) => /^\d{1,4}[smhd]$/.test(value),
  (value) => Number.parseInt(value, 10) * (UNITS[value.slice(-1)] ?? 0),
);

/** Whether a time exists: JavaScript reads the 31st of February as the 3rd of March. */
function isTime(value: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  return Number.isFinite(Date.parse(value)) && `${new Date(`${day}`).toJSON()}`.startsWith(`${day}`);
}
