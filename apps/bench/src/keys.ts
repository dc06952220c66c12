import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createRandom } from '@petstore-platform/testkit/random';
import type { Client } from 'pg';

const { plans } = await import(new URL('../../server/src/generated/plans.ts', import.meta.url).href);

/** API keys of the benchmarks. No run reaches their limits, because a refusal would fail it. */
export type Keys = Awaited<ReturnType<typeof issueKeys>>;

/** The number of keys per plan. Together, they allow half a million requests per minute, more than a server answers. */
const CROWD = { free: 2_100, pro: 750, business: 150 };
const BUSINESS = 500;

export async function issueKeys(client: Client) {
  const issue = async (plan: string, count: number, limit: number | null = null) => {
    const keys = Array.from({ length: count }, createKey);
    await client.query(
      `insert into api_keys (name, plan, per_minute, per_day, key_hash)
       select 'bench', $2, $3, $3, sha256(key::bytea) from unnest($1::text[]) as key`,
      [keys, plan, limit],
    );
    return keys;
  };
  const crowd: { key: string; at: number }[] = [];
  const random = createRandom(1);
  for (const [plan, count] of Object.entries(CROWD)) {
    const share = plans[plan].perMinute / 20;
    for (const key of await issue(plan, count))
      for (let i = 0; i < share; i++) crowd.push({ key, at: (i + random()) / share });
  }
  return {
    /** A single key, with agreed limits of a billion. */
    enterprise: await issue('enterprise', 1, 999_999_999),
    business: await issue('business', BUSINESS),
    /** A mix of 70 % free, 25 % pro and 5 % business keys in random order. Each occurs as often as its limit allows. */
    crowd: crowd.sort((a, b) => a.at - b.at).map(({ key }) => key),
  };
}

/** Creates a key in the format of the server's command line, but without a process per key. */
function createKey(): string {
  const bytes = Buffer.alloc(36, randomBytes(32));
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 32)), 32);
  return `petstore_${bytes.toString('base64url')}`;
}
