import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createClient } from '@petstore/client';
import { eventually } from '@petstore-platform/testkit/eventually';
import { startPostgres } from '@petstore-platform/testkit/postgres';
import { freePort } from '@petstore-platform/testkit/server';
import { createKey, runCommand, serve } from '../petstore.ts';
import type { Run } from '../service.ts';

const HOUR = 3_600_000;
/** Offsets in milliseconds of the clock of one of two servers. */
const SHIFTS = { 'an hour ahead': HOUR, 'a day ahead': 24 * HOUR, 'an hour behind': -HOUR, 'a day behind': -24 * HOUR };

const PRELOAD = pathToFileURL(`${import.meta.dirname}/shift-clock.ts`);
/** Milliseconds within which a revocation takes effect: 10 seconds, and 2 for a busy machine. */
const REVOCATION = 12_000;

/** Tests limits, keys and idempotency on two servers, one with a wrong clock. */
export async function wrongClocks({ run, environment, onProgress }: Run) {
  const { url } = run.adopt(await startPostgres(), ({ close }) => close());
  const variables = { DATABASE_URL: url, LOG_LEVEL: 'warn', BAN_AFTER: '9999999', ...environment };
  const start = async (more: Record<string, string> = {}) => {
    const server = await serve({ PORT: String(await freePort()), ...variables, ...more }, '--migrate');
    run.defer(async () => void (await server.kill()));
    return server;
  };

  const failures: string[] = [];
  let tried = 0;
  const right = await start();
  for (const [name, shift] of Object.entries(SHIFTS)) {
    onProgress(`a server whose clock is ${name}`);
    const expect = (what: string, condition: boolean) => {
      tried += 1;
      if (!condition) failures.push(`${name}: ${what}`);
    };
    // This state is from before the wrong clock starts.
    const limited = await createKey(url, 'enterprise --per-minute 1000 --per-day 5');
    const free = await createKey(url, 'free');
    const pro = await createKey(url, 'pro');
    const day = today();
    for (let count = 0; count < 5; count++) await ask(right.port, limited.key);
    const idempotencyKey = `${shift}`;
    const first = await createPet(right.port, pro.key, idempotencyKey);

    const wrong = await start({ NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_SHIFT: String(shift) });
    const ports = [wrong.port, right.port];
    // Expired rows are deleted in the background after the start.
    await delay(1_000);
    for (const port of ports) {
      const { status, reset, date } = await ask(port, pro.key);
      expect(`a Date ${Date.now() - date} ms ago`, Math.abs(Date.now() - date) < 5_000);
      const seconds = reset - Date.now() / 1_000;
      expect(`a usual request gets ${status}`, status === 200);
      expect(`the window ends in ${seconds.toFixed(0)} s`, seconds > -2 && seconds < 62);
      const again = await createPet(port, pro.key, idempotencyKey);
      expect(`an idempotency key is forgotten: ${first} and ${again}`, first === again);
      const daily = await ask(port, limited.key);
      const forgotten = daily.status !== 429 && day === today();
      expect(`the day's count is forgotten: ${daily.status}, retry after ${daily.retryAfter}`, !forgotten);
    }
    for (const port of ports) {
      // These are more requests than the limits of two windows allow.
      const answers = await Promise.all(Array.from({ length: 130 }, () => ask(port, free.key)));
      const refused = answers.filter(({ status }) => status === 429);
      const longest = Math.max(...refused.map(({ retryAfter }) => retryAfter));
      expect(`${refused.length} of 130 refused`, refused.length >= 10);
      expect(`refused for ${longest} s`, longest <= 62);
    }
    const warnings = wrong.output().match(/clock/gi)?.length ?? 0;
    expect(`logged ${warnings} warnings about the clock`, warnings === 1);

    // The clock is turned back while the key is cached.
    wrong.child.kill('SIGWINCH');
    await runCommand(url, 'keys', 'revoke', String(pro.id));
    const revoked = async () => {
      const { status } = await ask(wrong.port, pro.key);
      if (status !== 401) throw new Error(`answered ${status}`);
    };
    await eventually('a revoked key', revoked, REVOCATION).catch(({ message }) => expect(message, false));
    await wrong.kill();
  }
  return { tried, failures, note: Object.keys(SHIFTS).join(', ') };
}

async function ask(port: number, key: string) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers });
  await response.body?.cancel();
  const number = (header: string) => Number(response.headers.get(header));
  const date = Date.parse(response.headers.get('Date') ?? '');
  return { status: response.status, date, reset: number('X-RateLimit-Reset'), retryAfter: number('Retry-After') };
}

/** @returns the id of the created pet, the same for the same idempotency key */
async function createPet(port: number, apiKey: string, idempotencyKey: string): Promise<number> {
  const petstore = createClient({ apiKey, baseUrl: `http://127.0.0.1:${port}/v1` });
  return (await petstore.createPet({ name: 'Biscuit', categoryId: 7 }, { idempotencyKey })).id;
}

const today = () => new Date().toISOString().slice(0, 10);
