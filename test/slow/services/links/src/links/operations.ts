import { ApiError } from '@petstore-platform/server-runtime';
import { sql } from 'kysely';
import { events, read, stream, write } from '../api.ts';
import type { Stats } from '../generated/operations.ts';

const LINK = ['id', 'slug', 'target', 'clicks'] as const;
const missing = (slug: string) => ({ missing: `There is no link ${slug}` });

/** A click is a change, though its request is a `GET`: a stream may make one. */
const follow = stream('follow', async ({ path: { slug } }, db, { write }) => {
  const link = await db
    .selectFrom('links')
    .select(['id', 'slug', 'owner', 'target'])
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (!link) throw new ApiError(404, missing(slug).missing);
  return write(async (changing) => {
    await changing.insertInto('clicks').values({ link_id: link.id, slug: link.slug, owner: link.owner }).execute();
    await changing
      .updateTable('links')
      .set(({ eb }) => ({ clicks: eb('clicks', '+', 1) }))
      .where('id', '=', link.id)
      .execute();
    return { status: 302, headers: { Location: link.target } };
  });
});

const listLinks = read('listLinks', (_, db, { page, caller }) =>
  page(db.selectFrom('links').select(LINK), { by: 'id', where: { owner: caller.id } }),
);

const createLink = write(
  'createLink',
  { slug: true, target: true },
  ({ body: { slug, target } }, db, { row, caller }) =>
    row(db.insertInto('links').values({ slug, target, owner: caller.id }).returning(LINK)),
  { conflict: ({ body: { slug } }) => `The slug ${slug} is taken` },
);

const DAYS = sql<Stats['days']>`(
  select coalesce(json_agg(json_build_object('day', day, 'clicks', clicks) order by day), '[]')
  from (select (clicked_at at time zone 'UTC')::date as day, count(*) as clicks from clicks where link_id = links.id group by day) as days)`;
const linkStats = read('linkStats', ({ path: { slug } }, db, { row, caller }) =>
  row(
    db.selectFrom('links').select(DAYS.as('days')).where('slug', '=', slug).where('owner', '=', caller.id),
    missing(slug),
  ),
);

const streamClicks = events('streamClicks', (_, db, { rows, caller }) =>
  rows(db.selectFrom('clicks').select(['slug', 'clicked_at as clickedAt']).where('owner', '=', caller.id)),
);

export const links = { follow, listLinks, createLink, linkStats, streamClicks };
