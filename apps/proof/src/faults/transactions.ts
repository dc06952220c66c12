import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '@petstore-platform/testkit/postgres';
import { pick, type Random } from '@petstore-platform/testkit/random';
import type { Row } from '../report.ts';
import type { Fleet } from './fleet.ts';
import { answerOf, CHANGE_PAUSE } from './repetitions.ts';

const [CLIENTS, STORES] = [4, 10];

/**
 * Changes stores by an operation that reads, decides and writes in one transaction (`updateStore` of the bookstore), each with a key,
 * until it is answered. A trigger notes each change that Postgres commits.
 */
export async function changeStores(
  { servers, apiKey, databaseUrl }: Fleet,
  random: Random,
  over: AbortSignal,
): Promise<Row> {
  await withClient(databaseUrl, (client) =>
    client.query(`
      insert into stores (name, city) select 'Store ' || n, 'Bern' from generate_series(1, ${STORES}) as n;
      create table edits (name text not null);
      create function note_edit() returns trigger language plpgsql as 'begin insert into edits values (new.name); return null; end';
      create trigger edited after update on stores for each row execute function note_edit()`),
  );
  const answers = new Map<string, string>();
  const keepChanging = async (client: number) => {
    for (let n = 0; !over.aborted; n++) {
      const name = `${client}-${n}`;
      const id = 1 + Math.floor(random() * (STORES + 1));
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      };
      const init = { method: 'PATCH', headers, body: JSON.stringify({ name }) };
      const request = () => `http://127.0.0.1:${pick(random, servers).clients.port}/v1/stores/${id}`;
      answers.set(name, await answerOf(request, init, over));
      await delay(CHANGE_PAUSE);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => keepChanging(client)));
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ name: string; times: number }>('select name, count(*)::integer as times from edits group by name'),
  );
  return judge(answers, new Map(rows.map(({ name, times }) => [name, times])));
}

/** @param answers - the status and body of each change @param edits - how often Postgres made it */
export function judge(answers: Map<string, string>, edits: Map<string, number>): Row {
  const [losses, failures]: [string[], string[]] = [[], []];
  let done = 0;
  for (const [name, answer] of answers) {
    const times = edits.get(name) ?? 0;
    const isDone = answer.startsWith('200 ');
    if (isDone) done += 1;
    else if (!answer.startsWith('404 ')) failures.push(`${name}: ${answer}`);
    if (times > 1) failures.push(`${name} was changed ${times} times`);
    if (isDone && times === 0) losses.push(`${name} was acknowledged, but not changed`);
    if (!isDone && times > 0) failures.push(`${name} was changed, but answered with ${answer}`);
  }
  for (const name of edits.keys()) if (!answers.has(name)) failures.push(`${name} was changed without a request`);
  if (done === 0) failures.push('no transaction was acknowledged');
  return {
    what: 'Transactions with a key, until they are answered',
    tried: answers.size,
    failures,
    losses,
    note: `${done} acknowledged, ${answers.size - done} refused`,
  };
}
