import type { Reader } from '@petstore-platform/server-runtime';
import { type Expression, expressionBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { read, write } from './api.ts';
import type { GeneratedTables } from './generated/tables.ts';

/** The profile of a user, for queries of the table `users`. */
export function profile(me: string | Expression<string> = '') {
  const { exists, ref, selectFrom } = expressionBuilder<GeneratedTables, 'users'>();
  return jsonBuildObject({
    username: ref('users.username'),
    bio: ref('users.bio'),
    image: ref('users.image'),
    following: exists(selectFrom('follows').whereRef('followed', '=', 'users.id').where('follower', '=', me)),
  });
}

const missing = { missing: 'profile not found' };

const one = (db: Reader<GeneratedTables>, username: string, me?: string) =>
  db.selectFrom('users').select(profile(me).as('profile')).where('username', '=', username);

const GetProfileByUsername = read('GetProfileByUsername', ({ path: { username } }, db, { row, caller }) =>
  row(one(db, username, caller.owner), missing),
);

const FollowUserByUsername = write(
  'FollowUserByUsername',
  async ({ path: { username } }, db, { row, caller: { owner = '' } }) => {
    const followed = db.selectFrom('users').select('id').where('username', '=', username);
    const follow = followed.select(({ val }) => val(owner).as('follower'));
    await db
      .insertInto('follows')
      .columns(['followed', 'follower'])
      .expression(follow)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return row(one(db, username, owner), missing);
  },
);

const UnfollowUserByUsername = write(
  'UnfollowUserByUsername',
  async ({ path: { username } }, db, { row, caller: { owner = '' } }) => {
    const followed = db.selectFrom('users').select('id').where('username', '=', username);
    await db.deleteFrom('follows').where('followed', '=', followed).where('follower', '=', owner).execute();
    return row(one(db, username, owner), missing);
  },
);

export const profiles = { GetProfileByUsername, FollowUserByUsername, UnfollowUserByUsername };
