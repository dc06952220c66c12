import { Batcher, type Page, type PageQuery, type Part, query, type ReadHandle } from '@repo/server-runtime';
import { type RawBuilder, sql } from 'kysely';

/** A block is 65,536 ids. Its rows lie in one shard, and a shard is a table on one node. */
const BLOCK_BITS = 16;
const BLOCK_SIZE = 2 ** BLOCK_BITS;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** The block of a row, in SQL. */
export const BLOCK = sql`id >> ${sql.lit(BLOCK_BITS)}`;

/** The counts of rows, which have `id` and `status`. */
export const countsOf = (rows: RawBuilder<unknown>) => sql`
    select status, block, count(*) from (select unnest(array['', status]) as status, ${BLOCK} as block from ${rows}) as row
    where status is not null group by status, block`;

/** Counts rows. */
export const countBlocks = (rows: RawBuilder<unknown>, into = 'pets_blocks') => sql`
    insert into ${sql.table(into)} as counted (status, block, count) ${countsOf(rows)}
    on conflict (status, block) do update set count = counted.count + excluded.count, changed = excluded.changed`;

interface Block {
  block: number;
  /** Rows with the status, at least. */
  count: number;
  /** The hash by which Citus chooses the shard. */
  hash: number;
}

interface State {
  /** The `id` up to which the rows of all creations are committed on all nodes. */
  last: number;
  /** By status, '' for any: the blocks with such rows, in their order. */
  blocks: Map<string, Block[]>;
  /** In the order of their lowest hashes. */
  shards: { hash: number; handle: ReadHandle }[];
  /** The counts lack what transactions from this one on have changed. */
  xmin: string;
  /** Differs after a shard has moved. */
  placement: string;
}

interface StateRow extends Pick<State, 'last' | 'xmin' | 'placement'> {
  counts: (Block & { status: string })[] | null;
}

/** What has changed. */
const selectState = query<Pick<State, 'xmin'>, StateRow>(
  'select_blocks',
  (value) => sql`select last, pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
      concat_ws(' ', (select max(placementid) from pg_dist_placement),
        (select string_agg(xmin::text, ' ') from pg_dist_node)) as placement,
      (select json_agg(row) from (
        select status, block, count, worker_hash(block) as hash from pets_blocks where changed >= ${value('xmin')}::xid8
      ) as row) as counts
    from pets_visible`,
);

const selectShards = query<object, { id: number; host: string; hash: number }>(
  'select_shards',
  () => sql`select shardid as id, nodename || ':' || nodeport as host, shardminvalue::integer as hash
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = 'pets'::regclass and noderole = 'primary' order by hash`,
);

function watchState(db: ReadHandle): Batcher<object, State> {
  let state: State = { last: 0, blocks: new Map(), shards: [], xmin: '0', placement: '' };
  return new Batcher(async (calls) => {
    const [row] = await selectState(db, state);
    const { counts, ...now } = row as StateRow;
    for (const { status, ...block } of counts ?? []) {
      const blocks = state.blocks.get(status) ?? [];
      const index = indexOf(blocks, block.block);
      blocks.splice(index, blocks[index]?.block === block.block ? 1 : 0, block);
      state.blocks.set(status, blocks);
    }
    let { shards } = state;
    if (now.placement !== state.placement)
      shards = (await selectShards(db, {})).map(({ id, host, hash }) => ({ hash, handle: db.at(host, `_${id}`) }));
    state = { ...state, ...now, shards };
    return calls.map(() => state);
  });
}

const states = new WeakMap<ReadHandle, ReturnType<typeof watchState>>();

/** Runs work with the state as it is now, from the coordinator; a second time when a shard has moved meanwhile. */
function withState<Result>(db: ReadHandle, work: (state: State) => Promise<Result>): Promise<Result> {
  const watch = states.get(db) ?? watchState(db);
  states.set(db, watch);
  const run = () => watch.submit({}).then(work);
  return run().catch((error) => (error.code === UNDEFINED_TABLE ? run() : Promise.reject(error)));
}

const UNDEFINED_TABLE = '42P01';

/** The index of the first that is not before the block. */
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
  ...Map.groupBy(items, ({ hash }) => shards.findLast((shard) => shard.hash <= hash)?.handle as ReadHandle),
];

/** Reads the rows that have these ids. @param select - reads them from one table */
export function rowsById<Row>(
  db: ReadHandle,
  ids: number[],
  select: (shard: ReadHandle, values: { ids: number[] }) => Promise<Row[]>,
): Promise<Row[]> {
  return withState(db, async (state) => {
    const blocks = state.blocks.get('') ?? [];
    const items = ids.flatMap((id) => {
      const { block, hash = 0 } = blocks[indexOf(blocks, blockOf(id))] ?? {};
      return id <= state.last && block === blockOf(id) ? { id, hash } : [];
    });
    const rows = byShard(state, items).map(([shard, items]) => select(shard, { ids: items.map(({ id }) => id) }));
    return (await Promise.all(rows)).flat();
  });
}

const EMPTY: Part = { body: '[]', count: 0, next: null };

/** What to read of each block that fills a page, and of the next one, to know whether a page follows. */
function partsOf({ blocks, last }: State, query: PageQuery) {
  const counted = blocks.get(String(query.status ?? '')) ?? [];
  const parts = [];
  let { after, limit } = query;
  for (let index = indexOf(counted, blockOf(after + 1)); limit >= 0 && index < counted.length; index++) {
    const { block, count, hash } = counted[index] as Block;
    after = Math.max(after, block * BLOCK_SIZE - 1);
    const end = Math.min(last, (block + 1) * BLOCK_SIZE - 1);
    parts.push({ hash, query: { ...query, after, last: end, limit }, read: EMPTY });
    limit -= count;
  }
  return parts;
}

/** Reads a page for each query, from the blocks that fill it: mostly one. @param walk - reads them from one table */
export function pagesByBlock(
  db: ReadHandle,
  queries: PageQuery[],
  walk: (shard: ReadHandle, queries: PageQuery[]) => Promise<Part[]>,
): Promise<Page[]> {
  return withState(db, async (state) => {
    const pages = queries.map((query) => ({ query: { ...query }, bodies: [] as string[], next: EMPTY.next }));
    // Further rounds where blocks had fewer rows than counted, or more, by a change on its way.
    for (let open = pages; open.length > 0; ) {
      const parts = open.map(({ query }) => partsOf(state, query));
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
}
