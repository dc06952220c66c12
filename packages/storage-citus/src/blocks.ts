import {
  Batcher,
  type Handle,
  type Page,
  type PageQuery,
  type Part,
  query,
} from '@petstore-platform/server-runtime/storage';
import { sql } from 'kysely';
import { filterOf } from './counts.ts';
import { BLOCK_SIZE, blockOf, type Layout } from './layout.ts';

interface Block {
  block: number;
  /** The number of rows that the filter, a group of values, counts. Fewer may match a query. */
  count: number;
  /** The hash by which Citus chooses the shard. */
  hash: number;
}

interface State {
  /** The `id` up to which the rows of all creations are committed on all nodes. */
  last: number;
  /** The columns whose values are counted. */
  counted: string[];
  /** The blocks with rows of each filter, in their order. */
  blocks: Map<string, Block[]>;
  /** The shards in the order of their lowest hashes. */
  shards: { hash: number; handle: Handle }[];
  /** The first transaction whose changes the counts lack. */
  xmin: string;
  /** Changes when a shard moves. */
  placement: string;
}

interface StateRow extends Pick<State, 'last' | 'counted' | 'xmin' | 'placement'> {
  counts: (Block & { filter: string })[] | null;
}

/** Selects the state, with the counts that have changed. */
const stateOf = ({ table, counts, visible }: Layout) =>
  query<Pick<State, 'xmin'>, StateRow>(
    `select_${table}_blocks`,
    (value) => sql`select last, counted, pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
      concat_ws(' ', (select max(placementid) from pg_dist_placement),
        (select string_agg(xmin::text, ' ') from pg_dist_node)) as placement,
      (select json_agg(row) from (
        select filter, block, count, worker_hash(block) as hash from ${sql.table(counts)} where changed >= ${value('xmin')}::xid8
      ) as row) as counts
    from ${sql.table(visible)}`,
  );

const shardsOf = ({ table }: Layout) =>
  query<object, { id: number; host: string; hash: number }>(
    `select_${table}_shards`,
    () => sql`select shardid as id, nodename || ':' || nodeport as host, shardminvalue::integer as hash
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = ${sql.lit(table)}::regclass and noderole = 'primary' order by hash`,
  );

function watchState(layout: Layout, db: Handle): Batcher<object, State> {
  const [selectState, selectShards] = [stateOf(layout), shardsOf(layout)];
  let state: State = { last: 0, counted: [], blocks: new Map(), shards: [], xmin: '0', placement: '' };
  return new Batcher(async (calls) => {
    const [row] = await selectState(db, state);
    const { counts, ...now } = row as StateRow;
    for (const { filter, ...block } of counts ?? []) {
      const blocks = state.blocks.get(filter) ?? [];
      const index = indexOf(blocks, block.block);
      blocks.splice(index, blocks[index]?.block === block.block ? 1 : 0, ...(block.count > 0 ? [block] : []));
      state.blocks.set(filter, blocks);
    }
    let { shards } = state;
    if (now.placement !== state.placement)
      shards = (await selectShards(db, {})).map(({ id, host, hash }) => ({ hash, handle: db.at(host, `_${id}`) }));
    state = { ...state, ...now, shards };
    return calls.map(() => state);
  });
}

/** Runs work with the state as it is now, from the coordinator. It runs a second time when a shard has moved meanwhile. */
type WithState = <Result>(db: Handle, work: (state: State) => Promise<Result>) => Promise<Result>;

function stateWatcher(layout: Layout): WithState {
  const states = new WeakMap<Handle, ReturnType<typeof watchState>>();
  return (db, work) => {
    const watch = states.get(db) ?? watchState(layout, db);
    states.set(db, watch);
    const run = () => watch.submit({}).then(work);
    return run().catch((error) => (error.code === UNDEFINED_TABLE ? run() : Promise.reject(error)));
  };
}

const UNDEFINED_TABLE = '42P01';

/** The index of the first block that is not before this one. */
function indexOf(blocks: Block[], block: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle] as Block).block < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

const byShard = <Item extends { hash: number }>({ shards }: State, items: Item[]) => [
  ...Map.groupBy(items, ({ hash }) => shards.findLast((shard) => shard.hash <= hash)?.handle as Handle),
];

/** The most blocks that a page looks into at once although fewer count enough rows. */
const MOST = 1_024;

const EMPTY: Part = { body: '[]', count: 0, next: null };

/** The blocks that may have rows of a query: of the counted filters, the one with the fewest. */
function blocksOf({ blocks, counted }: State, query: PageQuery): Block[] {
  const filters = counted.flatMap((column) => {
    const value = query[`=${column}`];
    return value === undefined ? [] : filterOf(column, value);
  });
  const all = ['', ...filters].map((filter) => blocks.get(filter) ?? []);
  return all.reduce((fewest, each) => (each.length <= fewest.length ? each : fewest));
}

/**
 * The queries for each block that fills a page, and for the next one, which shows whether a page follows.
 *
 * @param least - the number of blocks to read, if there are so many
 */
function partsOf(state: State, query: PageQuery, least: number) {
  const counted = blocksOf(state, query);
  const parts = [];
  let { after, limit } = query;
  for (let index = indexOf(counted, blockOf(after + 1)); index < counted.length; index++) {
    if (limit < 0 && parts.length >= least) break;
    const { block, count, hash } = counted[index] as Block;
    after = Math.max(after, block * BLOCK_SIZE - 1);
    const end = Math.min(state.last, (block + 1) * BLOCK_SIZE - 1);
    // A block after those that count enough rows mostly has one row or none.
    parts.push({
      hash,
      query: { ...query, after, last: end, limit: limit < 0 ? Math.min(1, query.limit) : limit },
      read: EMPTY,
    });
    limit -= count;
  }
  return parts;
}

/** Creates the functions that read rows. Each statement runs on the table of a shard, on its node. */
export function readBlocks(layout: Layout) {
  const withState = stateWatcher(layout);

  /** Reads the rows that have these ids. @param select - reads them from one table */
  const rows = <Row>(
    db: Handle,
    ids: number[],
    select: (shard: Handle, values: { keys: number[] }) => Promise<Row[]>,
  ): Promise<Row[]> =>
    withState(db, async (state) => {
      const blocks = state.blocks.get('') ?? [];
      const items = ids.flatMap((id) => {
        const { block, hash = 0 } = blocks[indexOf(blocks, blockOf(id))] ?? {};
        return id <= state.last && block === blockOf(id) ? { id, hash } : [];
      });
      const rows = byShard(state, items).map(([shard, items]) => select(shard, { keys: items.map(({ id }) => id) }));
      return (await Promise.all(rows)).flat();
    });

  /** Reads a page for each query, from the blocks that fill it: mostly one. @param walk - reads them from one table */
  const pages = (
    db: Handle,
    queries: PageQuery[],
    walk: (shard: Handle, queries: PageQuery[]) => Promise<Part[]>,
  ): Promise<Page[]> =>
    withState(db, async (state) => {
      const pages = queries.map((query) => ({ query: { ...query }, bodies: [] as string[], next: EMPTY.next }));
      // Further rounds are needed where blocks had fewer rows than counted, or more, because of a concurrent change. Each looks into
      // twice as many blocks: a rare value may share its group with a frequent one, so that all blocks count rows of it.
      for (let open = pages, least = 1; open.length > 0; least = Math.min(2 * least, MOST)) {
        const parts = open.map(({ query }) => partsOf(state, query, least));
        const reads = byShard(state, parts.flat()).map(async ([shard, parts]) => {
          const read = await walk(
            shard,
            parts.map(({ query }) => query),
          );
          for (const [index, part] of parts.entries()) part.read = read[index] ?? EMPTY;
        });
        await Promise.all(reads);
        for (const [index, page] of open.entries()) {
          page.next = null;
          for (const { query, read } of parts[index] ?? []) {
            if (page.next !== null || query.limit > page.query.limit) break;
            if (read.count > 0) page.bodies.push(read.body.slice(1, -1));
            page.query.limit -= read.count;
            page.query.after = read.next ?? query.last;
            page.next = read.next;
          }
        }
        const isOpen = ({ query, next }: (typeof pages)[number]) => next === null || query.limit > 0;
        open = open.filter((page, index) => parts[index]?.length && isOpen(page) && page.query.after < state.last);
      }
      return pages.map(({ bodies, next }) => ({ body: `[${bodies}]`, next }));
    });

  return { rows, pages };
}
