/** The issuer of tokens of a local service: a key pair beside its data. `keys token` signs with it. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceFolder } from './service-folder.ts';

/** The variables of this issuer. Empty if another one is configured, or there is none yet. */
export function issuerOf({ name, data }: ServiceFolder): Record<string, string> {
  const file = path.join(data, 'issuer.json');
  if (process.env.OIDC_ISSUER || !existsSync(file)) return {};
  return { OIDC_ISSUER: `http://localhost/${name}`, OIDC_AUDIENCE: name, OIDC_JWKS: file };
}

/** Makes the key pair, unless there is one. Only its owner can read it. */
export function makeIssuer({ data }: ServiceFolder): void {
  const file = path.join(data, 'issuer.json');
  if (existsSync(file)) return;
  mkdirSync(data, { recursive: true });
  writeFileSync(file, JSON.stringify({ keys: [newKey()] }), { mode: 0o600 });
}

/** A private key that signs. */
export const newKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  alg: 'ES256',
  use: 'sig',
});
