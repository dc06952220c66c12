import { type Engine, integer, table as print, type Storage } from '@repo/server-runtime/storage';
import { readBlocks } from './blocks.ts';
import { changeBlocks } from './change.ts';
import { createBlocks } from './create.ts';
import { distribute } from './distribute.ts';
import type { Layout } from './layout.ts';

/** A table that Citus spreads over its nodes. */
interface CitusStorage extends Storage {
  layout: Layout;
}

const citus: Engine = {
  // A distribution ends all sessions before its commit. If another role takes this lock, no session is left waiting.
  enter: 'select pg_advisory_xact_lock_shared(0, 0)',
  settings: { 'citus.multi_shard_modify_mode': [(limit) => (limit ? undefined : 'sequential'), 'For migrations.'] },
  addCommands(program, run, storages: readonly CitusStorage[]) {
    program
      .command('distribute')
      .description(`distribute ${storages.map(({ table }) => table).join(', ')} over the nodes of Citus`)
      .option('--shards <n>', 'parts of each table, each on one node', integer(1, 999), 8)
      .option('--check', 'distribute nothing: show how the tables are distributed')
      .action(({ shards, check }: { shards: number; check?: true }) =>
        run(async (db) => {
          const shares = [];
          for (const { layout } of storages)
            shares.push(...(await distribute(db, layout, { shards, check, command: program.name() })));
          return print(shares);
        }),
      );
  },
};

/** Types whose values Postgres and JavaScript write alike. */
const COUNTABLE = ['text', 'bigint', 'integer', 'smallint', 'boolean'];

/**
 * Spreads a table over the nodes of Citus by blocks of ids, once the command `distribute` has run. It learns about the table from the
 * operations and from the types of the columns.
 *
 * @throws Error, when the service is defined, naming an operation that could not be served
 * @example
 * defineService({ …, distributed: [citusBlocks({ table: 'notes' })] });
 */
export function citusBlocks({ table }: { table: string }): Storage {
  if (table.length > 40) throw new Error(`${table}: a distributed table's name has 40 characters at most`);
  const [counts, visible, commits] = [`${table}_blocks`, `${table}_visible`, `${table}_commits`];
  const layout: Layout = { table, counts, visible, commits, filters: new Set() };
  const isActive: Storage['isActive'] = (db) => db.distributed.has(table);
  const storage: CitusStorage = {
    table,
    layout,
    engine: citus,
    detect: `to_regclass('${layout.counts}') is not null`,
    isActive,
    list({ order, direction, filters }, { typeOf }) {
      if (order.join() !== 'id' || direction !== 'asc')
        throw new Error(`${table} may be distributed by id: a list goes by id alone, in ascending order`);
      for (const { column, isPrefix } of filters) {
        if (isPrefix) throw new Error(`${table} may be distributed: no list filters by the beginning of ${column}`);
        const type = typeOf(table, column);
        if (!COUNTABLE.includes(type)) throw new Error(`${table} may be distributed: no list filters by ${type}`);
        layout.filters.add(column);
      }
    },
    get(by) {
      if (by !== 'id') throw new Error(`${table} may be distributed by id: get goes by id`);
    },
    ...readBlocks(layout),
    create: (insertion, schema) => Object.assign(createBlocks(layout, insertion, schema), { isActive }),
    change: (steps, of) => changeBlocks(layout, steps, of),
  };
  return storage;
}
