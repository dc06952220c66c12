import { run } from '@petstore-platform/testkit/commands';
import { describe, expect, inject, test } from 'vitest';
import { insertPets } from './support/animals.ts';
import { temporaryServer } from './support/server.ts';

// The tests of packages/storage-citus show how tables are distributed.
describe.skipIf(!inject('citusUrl'))('on Citus', () => {
  test('animals are distributed, listed by status, got and added', async () => {
    const { db, databaseUrl, petstore } = await temporaryServer();
    const { stdout, stderr } = await run(['distribute', '--check'], { DATABASE_URL: databaseUrl });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^table +node .*\n(pets +\S+ +\d+ +0 +0 +\d+\n)+$/), '']);
    await insertPets(
      db,
      Array.from({ length: 30 }, (_, n) => ({ name: `${n}`, categoryId: n, status: n % 3 ? 'sold' : 'pending' })),
    );
    const ids: number[] = [];
    for await (const { id } of petstore.listPets({ status: 'pending', limit: 3 })) ids.push(id);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => 1 + 3 * n));
    expect(await petstore.getPet({ petId: 7 })).toEqual({ id: 7, name: '6', categoryId: 6, status: 'pending' });
    expect((await petstore.createPet({ name: 'Biscuit', categoryId: 7 })).id).toBe(31);
    expect(db.distributed).toEqual(new Set(['pets']));
  });
});
