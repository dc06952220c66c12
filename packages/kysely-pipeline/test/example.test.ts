import { temporaryDatabase } from '@petstore-platform/testkit/database';
import { withClient } from '@petstore-platform/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../example/app.ts';

test('the example answers requests at once', async () => {
  const url = await temporaryDatabase();
  await withClient(url, (client) =>
    client.query('create table notes (id integer generated always as identity primary key, title text not null)'),
  );
  const app = createApp(url);
  onTestFinished(() => app.close());
  const titles = Array.from({ length: 20 }, (_, index) => `Note ${index + 1}`);
  const added = await app.inject({ method: 'POST', url: '/notes', payload: { titles } });
  expect(added.json()).toHaveLength(20);
  const found = await Promise.all(titles.map((_, index) => app.inject({ url: `/notes/${index + 1}` })));
  expect(found.map((response) => response.json().title)).toEqual(titles);
});
