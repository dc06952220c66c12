import { expect, test } from 'vitest';
import { createClient } from '../client/src/generated/index.ts';
import { contract, temporaryServer } from './support.ts';

test('links are made by people, followed by everybody, and counted for their owner', async () => {
  const { origin, tokenOf } = await temporaryServer();
  const clientOf = async (sub: string) => {
    const token = await tokenOf({ sub });
    return createClient({ token, baseUrl: origin, fetch: contract.checkedFetch, maxRetries: 0 });
  };
  const [ann, bob] = [await clientOf('ann'), await clientOf('bob')];
  const link = await ann.createLink({ slug: 'start', target: 'https://docs.example/start' });
  expect(link).toEqual({ id: 1, slug: 'start', target: 'https://docs.example/start', clicks: 0 });
  await expect(bob.createLink({ slug: 'start', target: 'https://bob.example/' })).rejects.toMatchObject({
    status: 409,
  });
  expect(await bob.listLinks()).toEqual([]);
  await expect(bob.linkStats({ slug: 'start' })).rejects.toMatchObject({ status: 404 });

  expect(await ann.follow({ slug: 'start' })).toBe(link.target);
  expect(await ann.linkStats({ slug: 'start' })).toEqual({ days: [{ day: expect.any(String), clicks: 1 }] });
  expect(await ann.listLinks()).toEqual([{ ...link, clicks: 1 }]);

  const headers = { Authorization: `Bearer ${await tokenOf({ sub: 'ann' })}`, 'Last-Event-ID': '0' };
  const { body } = await fetch(`${origin}/api/clicks`, { headers });
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes('data:')) break;
  }
  expect(text).toMatch(/^id: 1\ndata: \{"slug": ?"start", ?"clickedAt": ?".*"\}\n/m);
});
