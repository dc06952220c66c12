import { lanesOf, type Tables } from '@repo/server-runtime';
import { fingerprintOf } from '@repo/server-runtime/internal/api/idempotency';
import { builder } from '@repo/server-runtime/internal/database/prepared';
import { countWaiting, withClient } from '@repo/testkit/postgres';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { change } from '../bookstore/api.ts';
import { contract } from '../bookstore/generated/contract.ts';
import type { Format, NewBook } from '../bookstore/generated/operations.ts';
import { temporaryDatabase } from '../support/database.ts';
import { type ApiKey, handlerOf, insertApiKey, openDatabase } from '../support/runtime.ts';

const noted: Tables<{ notes: { id: number; text: string; edits: number; mood: Format | null } }> = {
  columns: {},
  defaults: {},
};
const { rowJson } = lanesOf(contract, noted);

/** Changes of a table of their own, with the types of `createBook`: the mechanism knows no operation. */
const noteJson = rowJson('Book', { id: 'id', title: 'text', storeId: 'edits', format: 'mood' });
/** Names tables that the server lacks. */
const tables = (...names: string[]) => names as never[];
const columns = {
  new: { note: 'books.id', text: 'books.title' },
  inserts: tables(),
  uses: { title: true, storeId: true, format: true },
} as const;
const row = ({ body: { storeId, title } }: { body: NewBook }) => ({ note: storeId, text: title });
const failures = { 404: () => 'There is no such note', 409: () => 'There is such a note' };

const updateNote = change('createBook', {
  ...columns,
  row,
  change: sql`update notes set text = notes.text || new.text, edits = edits + 1 from new where id = note
    returning position, notes.*`,
  status: 201,
  body: noteJson,
  failures,
});

const addNote = change('createBook', {
  ...columns,
  inserts: tables('notes'),
  row,
  change: sql`insert into notes (id, text) select note, text from new returning 1 as position, notes.*`,
  status: 201,
  body: noteJson,
  failures,
});

/** Deletes, as far as the types of `createBook` allow: a body that is always null. */
const deleteNote = change('createBook', {
  ...columns,
  row,
  change: sql`delete from notes using new where id = note returning position`,
  status: 201,
  body: () => sql`null`,
});

const addCountedNote = change('createBook', {
  ...columns,
  inserts: tables('notes', 'counts'),
  row,
  change: {
    counted: sql`insert into counts select count(*) from new`,
    change: sql`insert
      into notes (id, text) select note, text from new returning 1 as position, notes.*`,
  },
  status: 201,
  body: rowJson('Book', { format: 'mood', id: 'id', title: 'text', storeId: 'edits' }),
});

interface WithNotes {
  notes: { id: number; text: string; edits: number; mood: string | null };
  new: { position: number; note: number };
}

type Create = typeof updateNote;

/** A database with ten notes, and servers on it. */
async function notes() {
  // Requests wait for their turn as long as this machine takes.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = await temporaryDatabase();
  await withClient(url, (client) =>
    client.query(`
      create table notes (id bigint primary key, text text not null, edits integer not null default 0, mood text);
      insert into notes select id, '' from generate_series(1, 10) as id`),
  );
  const open = () => {
    const db = openDatabase(url);
    onTestFinished(() => db.close());
    return db;
  };
  const db = open();
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  const handlerOn = (create: Create, on = open()) => {
    const handler = handlerOf(create, on);
    return async (note: number, text: string, key?: string, path: object = { note }) => {
      const request = { path, headers: { 'idempotency-key': key }, body: { storeId: note, title: text } };
      const context = { path: '/', apiKey: { id } as ApiKey, fingerprint: fingerprintOf([note, text]) };
      const { status, body } = await handler(request, context);
      return { status, body: body && JSON.parse(String(body)) };
    };
  };
  const stored = async () => (await db.pool.query('select * from notes order by id')).rows;
  return { url, db, handlerOn, stored };
}

test('concurrent changes of the same row all happen once, in their order, on each of two servers', async () => {
  const { handlerOn, stored } = await notes();
  const servers = [handlerOn(updateNote), handlerOn(updateNote)];
  const letters = [...'abcdefghijklmnopqrst'];
  const requests = servers.flatMap((update, server) =>
    letters.map((letter) => () => update(1, `${letter}${server}`, `${letter}${server}`)),
  );
  const first = await Promise.all(requests.map((send) => send()));
  expect(first.map(({ body }) => body.storeId).sort((one, other) => one - other)).toEqual(
    requests.map((_, index) => index + 1),
  );
  expect(await Promise.all(requests.map((send) => send()))).toEqual(first);
  const [{ text, edits }] = await stored();
  expect(edits).toBe(2 * letters.length);
  for (const server of ['0', '1']) {
    expect(text.match(new RegExp(`[a-z](?=${server})`, 'g')).join('')).toBe(letters.join(''));
  }
});

test('a literal of the builder is a value', async () => {
  const { handlerOn, stored } = await notes();
  const moody = change('createBook', {
    ...columns,
    row,
    change: () =>
      (builder as unknown as Kysely<WithNotes>)
        .updateTable('notes')
        .from('new')
        .set({ text: 'closed', edits: 7, mood: null })
        .whereRef('notes.id', '=', 'new.note')
        .where('notes.edits', '=', 0)
        .returning('new.position')
        .returningAll('notes'),
    status: 201,
    body: noteJson,
  });
  expect(await handlerOn(moody)(1, 'x')).toEqual({ status: 201, body: { id: 1, title: 'closed', storeId: 7 } });
  expect((await stored())[0]).toMatchObject({ text: 'closed', edits: 7 });
});

test('a change that a constraint refuses because of other rows or of the same one is 409', async () => {
  const { handlerOn, db } = await notes();
  await db.pool.query('create table uses (note bigint references notes on delete restrict)');
  await db.pool.query('insert into uses values (4)');
  await db.pool.query('alter table notes add check (edits < 1)');
  await expect(handlerOn(deleteNote)(4, '')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  await expect(handlerOn(updateNote)(5, 'x')).rejects.toMatchObject({ status: 409, message: 'There is such a note' });
});

test('an addition takes turns in all tables that it adds to; its first field may be absent', async () => {
  const { url, db, handlerOn } = await notes();
  await db.pool.query('create table counts (count bigint)');
  await withClient(url, async (client) => {
    await client.query(`begin; select pg_advisory_xact_lock('notes'::regclass::oid::integer, 0)`);
    const added = handlerOn(addCountedNote)(11, 'x');
    await expect.poll(() => countWaiting(client)).toBe(1);
    await client.query('commit');
    expect(await added).toEqual({ status: 201, body: { id: 11, title: 'x', storeId: 0 } });
  });
});

test('a locked row delays requests with its path alone, on a single connection', async () => {
  const { url, handlerOn, stored } = await notes();
  const update = handlerOn(updateNote);
  await withClient(url, async (client) => {
    await client.query('begin; select from notes where id = 5 for update');
    const locked = Array.from({ length: 30 }, (_, index) => update(5, 'x', `${index}`));
    await expect.poll(() => countWaiting(client)).toBe(1);
    for (let note = 1; note <= 4; note++) expect(await update(note, 'x')).toMatchObject({ status: 201 });
    await client.query('commit');
    await Promise.all(locked);
  });
  expect((await stored())[4]).toMatchObject({ edits: 30 });
});

test('without parameters in the path, a few requests run at once, and leave connections to others', async () => {
  const { url, handlerOn, stored } = await notes();
  const update = handlerOn(updateNote);
  await withClient(url, async (client) => {
    await client.query('begin; select from notes where id = 5 for update');
    const locked = [update(5, 'x', undefined, {})];
    await expect.poll(() => countWaiting(client)).toBe(1);
    for (let note = 1; note <= 3; note++) expect(await update(note, 'x', undefined, {})).toMatchObject({ status: 201 });
    for (let key = 0; key < 30; key++) locked.push(update(5, `${key}`, `${key}`, {}));
    await expect.poll(() => countWaiting(client)).toBe(4);
    expect(await update(1, 'x')).toMatchObject({ status: 201 });
    await client.query('commit');
    await Promise.all(locked);
  });
  expect((await stored())[4]).toMatchObject({ edits: 31 });
});

test('a text that Postgres cannot store is 400', async () => {
  const { handlerOn } = await notes();
  for (const text of ['\0', '\ud800']) {
    const failure = await handlerOn(addNote)(20, text).catch((error) => error);
    expect(failure).toMatchObject({ code: expect.stringMatching(/^22P0[25]$/) });
  }
});

test('fields in any order have the same fingerprint, items of an array do not', () => {
  const one = fingerprintOf({ b: [{ d: 1, c: 2 }, 3], a: null });
  expect(fingerprintOf({ a: null, b: [{ c: 2, d: 1 }, 3] })).toBe(one);
  expect(fingerprintOf({ a: null, b: [3, { c: 2, d: 1 }] })).not.toBe(one);
});
