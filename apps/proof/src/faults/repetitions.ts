import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pick, type Random } from '@petstore-platform/testkit/random';
import { changes } from '../petstore.ts';
import type { Row } from '../report.ts';
import type { Fleet } from './fleet.ts';

/** Milliseconds between two attempts or changes, and for a response after the end of a run. */
export const CHANGE_PAUSE = 100;
const ANSWER_TIMEOUT = 60_000;

/** The status and body of the first response that says what happened. @param target - the URL of each attempt */
export async function answerOf(target: () => string, init: RequestInit, over: AbortSignal): Promise<string> {
  for (let timeout = ANSWER_TIMEOUT; timeout > 0; timeout -= over.aborted ? CHANGE_PAUSE : 0) {
    const response = await fetch(target(), { ...init, signal: AbortSignal.timeout(3_000) })
      .then(async (response) => `${response.status} ${await response.text()}`)
      .catch(() => undefined);
    if (response && !/^(503|409 .*"idempotency_key_in_use")/.test(response)) return response;
    await delay(CHANGE_PAUSE);
  }
  return 'no answer';
}

/** Sends each repeatable change to two servers. The parameters of its path are ids that another change has added. */
export function openRepetitions({ servers, apiKey }: Fleet) {
  const repeated = new Map(changes.map(({ id }) => [id, 0]));
  const failures = new Set<string>();
  const succeeded = new Set<string>();
  /** Ids that the POST of a path returned: `/v1/pets` → 1, 2. */
  const added = new Map<string, number[]>();

  /** A path to a recent addition, or to the example of the contract where nothing can be added; undefined before the first. */
  const targetOf = ({ path, target: example }: (typeof changes)[number], random: Random) => {
    const { pathname, search } = new URL(example, 'http://localhost');
    const segments = pathname.split('/');
    let target = '';
    for (const [index, part] of path.split('/').entries()) {
      if (index === 0) continue;
      const isId = part.startsWith('{');
      const ids = added.get(target)?.slice(-10);
      if (isId && !ids && changes.some(({ method, path }) => method === 'POST' && path === target)) return undefined;
      target += `/${isId && ids ? pick(random, ids) : segments[index]}`;
    }
    return { path: target, search };
  };

  return {
    added,
    /** Sends changes at once or one after the other, each until it is answered. The answers must be the same. */
    async keepRepeating(random: Random, over: AbortSignal): Promise<void> {
      for (; !over.aborted; await delay(CHANGE_PAUSE)) {
        const change = pick(random, changes);
        const { id, method, body } = change;
        const place = targetOf(change, random);
        if (place === undefined) continue;
        const { path, search } = place;
        const ports = servers.map(({ clients }) => clients.port);
        const [first, second = first] = random() < 0.5 ? ports : ports.reverse();
        const keys = { Authorization: `Bearer ${apiKey}`, 'Idempotency-Key': randomUUID() };
        const json = { headers: { ...keys, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
        const init = { method, ...(body === undefined ? { headers: keys } : json) };
        const ask = (port?: number) => answerOf(() => `http://127.0.0.1:${port}${path}${search}`, init, over);
        const both = random() < 0.5 ? Promise.all([ask(first), ask(second)]) : [await ask(first), await ask(second)];
        const [one, other] = await both;
        repeated.set(id, (repeated.get(id) ?? 0) + 1);
        if (one !== other) failures.add(`${id}: ${one}; again, on another server: ${other}`);
        if (/^2\d\d /.test(one)) succeeded.add(id);
        else if (!/^(404|409) /.test(one)) failures.add(`${id} with the contract's example: ${one}`);
        const { id: target } = JSON.parse(/^201 (.*)$/s.exec(one)?.[1] || '{}');
        if (method === 'POST' && target !== undefined) added.set(path, [...(added.get(path) ?? []), target]);
      }
    },
    row(): Row {
      for (const { id } of changes)
        if (!succeeded.has(id)) failures.add(`${id} never succeeded: a POST must add what it changes`);
      return {
        what: 'Changes repeated on another server',
        tried: [...repeated.values()].reduce((sum, times) => sum + times, 0),
        failures: [...failures],
        note: [...repeated].map(([id, times]) => `${id} ${times}`).join(', '),
      };
    },
  };
}
