import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export type SeededFault =
  | 'lost write'
  | 'double insert'
  | 'lost key'
  | 'stale read'
  | 'id behind a cursor'
  | '500 on bad input'
  | 'undeclared property'
  | 'leaked handle'
  | 'unguarded socket';

interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status?: string;
}

interface Request {
  query: { cursor?: string };
  headers: object;
  body: Pet;
}

type Handler = (request: Request, context: unknown) => Promise<{ status: number; body: Pet | string }>;
type Handlers = Record<'listPets' | 'createPet' | 'getPet', Handler>;

/** Replaces one of the server's handlers with a faulty one. */
export function seed(honest: Handlers): Handlers {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  let creations = 0;
  let firstPage: ReturnType<Handler> | undefined;

  const faults: Partial<Record<string, Partial<Handlers>>> = {
    // The row is gone, and the response says 201.
    'lost write': {
      async createPet(request, context) {
        const answer = await honest.createPet(request, context);
        if (++creations % 4 === 0) {
          await pool.query('delete from pets where id = $1', [JSON.parse(String(answer.body)).id]);
        }
        return answer;
      },
    },
    // Every fourth creation runs twice, once without its key.
    'double insert': {
      async createPet(request, context) {
        if (++creations % 4 === 0) await honest.createPet({ ...request, headers: {} }, context);
        return honest.createPet(request, context);
      },
    },
    // Every fourth creation does not store its key.
    'lost key': {
      createPet: (request, context) =>
        honest.createPet(++creations % 4 === 0 ? { ...request, headers: {} } : request, context),
    },
    // The first page is read once, and repeated for ever.
    'stale read': {
      listPets(request, context) {
        if (request.query.cursor !== undefined) return honest.listPets(request, context);
        firstPage ??= honest.listPets(request, context);
        return firstPage;
      },
    },
    // Every fourth creation commits late, with an id that clients have passed already.
    'id behind a cursor': {
      async createPet(request, context) {
        if (++creations % 4 !== 0) return honest.createPet(request, context);
        const { name, categoryId, status } = request.body;
        const drawn = await pool.query(`select nextval('pets_id_seq')::integer as id`);
        const id: number = drawn.rows[0].id;
        await delay(300);
        const columns = '(id, name, category_id, status) overriding system value';
        await pool.query(`insert into pets ${columns} values ($1, $2, $3, $4)`, [id, name, categoryId, status]);
        return { status: 201, body: { id, name, categoryId, ...(status && { status }) } };
      },
    },
    // The code takes any number for a length.
    '500 on bad input': {
      createPet(request, context) {
        new Array(request.body.categoryId);
        return honest.createPet(request, context);
      },
    },
    // The answer has a column that the contract does not declare.
    'undeclared property': {
      async createPet(request, context) {
        const answer = await honest.createPet(request, context);
        return { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), key_hash: 'a' }) };
      },
    },
    'leaked handle': {
      getPet(request, context) {
        setInterval(() => {}, 3_600_000);
        return honest.getPet(request, context);
      },
    },
  };
  return { ...honest, ...faults[process.env.SEEDED_FAULT ?? ''] };
}
