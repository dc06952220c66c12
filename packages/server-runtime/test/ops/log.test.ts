import { expect, test } from 'vitest';
import { rowsOf } from '../support/database.ts';
import { serverProcess } from '../support/process.ts';

test('each operation of a renamed column is found by the log alone', async () => {
  const server = await serverProcess();
  await server.bookstore.createBook({ title: 'Lavinia', storeId: 1 });
  await rowsOf(server.databaseUrl, 'alter table books rename column title to name');
  const calls = [() => server.bookstore.getBook({ bookId: 1 }), () => server.bookstore.listBooks()];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 500 });
  const { stdout } = await server.stop();
  const lines = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  const failures = lines.filter(({ msg }) => msg === 'request failed');
  expect(failures).toMatchObject(
    ['getBook', 'listBooks'].map((operationId) => ({
      operationId,
      handler: expect.stringMatching(/bookstore\/src\/books\.ts:\d+:\d+/),
      reqId: lines.find((line) => line.operationId === operationId && line.status === 500).reqId,
      err: {
        code: '42703',
        severity: 'ERROR',
        position: expect.any(String),
        routine: 'errorMissingColumn',
        statement: { text: expect.stringContaining(operationId) },
      },
    })),
  );
});

test('the line of a handler whose statement fails is in the log', async () => {
  const server = await serverProcess();
  const { id: storeId } = await server.bookstore.createStore({ name: 'Main', city: 'Bern' });
  await rowsOf(server.databaseUrl, 'alter table stores drop column state');
  await expect(server.bookstore.updateStore({ storeId }, { capacity: 1 })).rejects.toMatchObject({ status: 500 });
  const { stdout } = await server.stop();
  expect(stdout).toMatch(/"operationId":"updateStore",.*"at":"[^"]*\bstores\.ts:\d+:\d+\)?",.*"request failed"/);
});

test('a row of another writer that JSON lacks is found by the log alone', async () => {
  const server = await serverProcess();
  const sale = { soldAt: '2026-11-24T12:00:00Z', due: '2026-12-24', price: '1.50', buyer: { name: 'Ada' }, titles: [] };
  const { id: saleId } = await server.bookstore.createSale(sale);
  await rowsOf(server.databaseUrl, `update sales set due = 'infinity'`);
  await expect(server.bookstore.getSale({ saleId })).rejects.toMatchObject({ status: 500 });
  const { stdout } = await server.stop();
  expect(stdout).toMatch(new RegExp(`"getSale",.*"err":.*due of the row ${saleId}\\b.*"request failed"`));
});
