import { defineService, migration } from '@petstore-platform/server-runtime';
import { expect, onTestFinished, test } from 'vitest';
import { type Any, contractOf, operation, startOwn } from '../support/handmade.ts';

const text = (format: string) => ({ type: 'string', format });
const formats = { at: text('date-time'), plain: text('date-time'), clock: text('time') };
const fields = Object.fromEntries(Object.entries(formats).map(([name, one]) => [name, { required: false, ...one }]));
const columns = { at: 'timestamptz', plain: 'timestamp without time zone', clock: 'time without time zone' };
const { contract, read, write } = contractOf(
  [
    operation('add', 'POST', {
      body: { required: true, schema: { type: 'object', properties: formats, additionalProperties: false } },
      response: { status: 201, fields },
    }),
    operation('find', 'GET', {
      parameters: [{ in: 'query', name: 'clock', required: true, schema: formats.clock }],
      response: { status: 200, fields },
    }),
  ],
  { tables: { columns: { times: columns } } },
);
const COLUMNS = ['at', 'plain', 'clock'];
const handlers = {
  add: write('add', { at: true, plain: true, clock: true }, ({ body }: Any, db: Any, { row }: Any) =>
    row(db.insertInto('times').values(body).returning(COLUMNS)),
  ),
  find: read('find', { clock: true }, ({ query: { clock } }: Any, db: Any, { row }: Any) =>
    row(db.selectFrom('times').select(COLUMNS).where('clock', '=', clock)),
  ),
};
const service = defineService({
  name: 'times',
  contract,
  handlers,
  migrations: {
    '001-times': migration('create table times (at timestamptz, plain timestamp, clock time)', 'drop table times'),
  },
  addressPlan: 'free',
} as never);

test('times are stored and answered in UTC, and what is answered is accepted', async () => {
  const server = await startOwn(service);
  onTestFinished(server.close);
  const add = async (body: object) => {
    const { status, json } = await server.send('add', { 'Content-Type': 'application/json' }, 'POST', body);
    return { status, json };
  };
  for (const [sent, stored] of [
    ['2026-01-01T00:30:00.123456+05:30', '2025-12-31T19:00:00.123456Z'],
    ['2025-12-31t23:30:00-00:45', '2026-01-01T00:15:00Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00-15:59', '0001-01-01T15:59:00Z'],
  ] as const) {
    const clock = sent.slice(11);
    const json = { at: stored, plain: stored, clock: stored.slice(11) };
    expect(await add({ at: sent, plain: sent, clock })).toEqual({ status: 201, json });
    expect(await add(json)).toEqual({ status: 201, json });
    const found = await server.send(`find?${new URLSearchParams({ clock })}`);
    expect(found.json).toMatchObject({ clock: json.clock });
  }
});
