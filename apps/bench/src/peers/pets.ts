import pg from 'pg';

/** The parts that all peers share: the pool, one query per request, start and shutdown. */

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

interface Row {
  id: number;
  name: string;
  category_id: number;
  status: string | null;
}

const COLUMNS = 'id, name, category_id, status';

const toPet = ({ id, name, category_id: categoryId, status }: Row) =>
  status === null ? { id, name, categoryId } : { id, name, categoryId, status };

export async function listPets(limit: number, status: string | undefined, after: number) {
  const { rows } = status
    ? await pool.query<Row>(`select ${COLUMNS} from pets where status = $1 and id > $2 order by id limit $3`, [
        status,
        after,
        limit,
      ])
    : await pool.query<Row>(`select ${COLUMNS} from pets where id > $1 order by id limit $2`, [after, limit]);
  return rows.map(toPet);
}

export async function getPet(id: number) {
  const { rows } = await pool.query<Row>(`select ${COLUMNS} from pets where id = $1`, [id]);
  return rows[0] && toPet(rows[0]);
}

export async function createPet(pet: { name: string; categoryId: number; status?: string | undefined }) {
  const { rows } = await pool.query<Row>(
    `insert into pets (name, category_id, status) values ($1, $2, $3) returning ${COLUMNS}`,
    [pet.name, pet.categoryId, pet.status ?? null],
  );
  return toPet(rows[0] as Row);
}

/** Decodes a cursor of the service without checking it. */
export function afterOf(cursor: string | undefined): number {
  return cursor ? Number(/-?\d+/.exec(Buffer.from(cursor, 'base64url').toString())?.[0]) : 0;
}

export const port = Number(process.env.PORT);

// Node.js writes the CPU profile only on an explicit exit.
process.once('SIGTERM', () => process.exit());
