import { type Engine, integer, table as print, type Storage } from '@petstore-platform/server-runtime/storage';
import { readBlocks } from './blocks.ts';
import { changeBlocks } from './change.ts';
import { distribute } from './distribute.ts';
import { insertBlocks } from './insert.ts';
import { blockOf, type Layout } from './layout.ts';

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

interface Options {
  table: string;
  /**
   * The columns by which lists mostly filter, so that a page looks only into blocks that have a row with the value. Default: none, and
   * pages by a filter look into all blocks.
   */
  filters?: readonly string[];
}

/**
 * Spreads a table over the nodes of Citus by blocks of ids, once the command `distribute` has run. Operations may answer with pages of it by
 * `id`, with a row by its `id`, and with the insertion or the change of a row. Any other use is refused by the name of the operation.
 *
 * @example
 * defineService({ …, distributed: [citusBlocks({ table: 'notes', filters: ['author'] })] });
 */
export function citusBlocks({ table, filters = [] }: Options): Storage {
  if (table.length > 40) throw new Error(`${table}: a distributed table's name has 40 characters at most`);
  const [counts, visible, commits] = [`${table}_blocks`, `${table}_visible`, `${table}_commits`];
  const layout: Layout = { table, counts, visible, commits, filters: new Set(filters) };
  const isActive: Storage['isActive'] = (db) => db.distributed.has(table);
  const storage: CitusStorage = {
    table,
    layout,
    engine: citus,
    detect: `to_regclass('${layout.counts}') is not null`,
    isActive,
    list({ order, direction, filters }, { typeOf }) {
      if (order.join() !== 'id' || direction !== 'asc')
        throw new Error(`${table} may be distributed by id: a page goes by id alone, in ascending order`);
      for (const { column, isPrefix } of filters) {
        if (isPrefix) throw new Error(`${table} may be distributed: no page filters by the beginning of ${column}`);
        const type = typeOf(table, column);
        if (layout.filters.has(column) && !COUNTABLE.includes(type))
          throw new Error(`${table} may be distributed: ${column} is a ${type}, whose values are not counted`);
      }
    },
    get(by) {
      if (by !== 'id') throw new Error(`${table} may be distributed by id: a row is looked up by its id`);
    },
    ...readBlocks(layout),
    insert: (row, schema) => insertBlocks(layout, row, schema),
    change: (row, block) => changeBlocks(layout, row, block),
    blockOf,
  };
  return storage;
}
