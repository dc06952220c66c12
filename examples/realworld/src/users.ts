import { randomUUID } from 'node:crypto';
import { ApiError, type Reader } from '@petstore-platform/server-runtime';
import { read, stream } from './api.ts';
import { requireTexts } from './failures.ts';
import type { GeneratedTables } from './generated/tables.ts';
import { hashOf, isPassword } from './passwords.ts';

const USER = ['username', 'email', 'bio', 'image'] as const;

/** @throws ApiError for the first of the names that somebody else has */
async function refuseTaken(db: Reader<GeneratedTables>, status: number, { id, username = '', email = '' }: Names) {
  const other = await db
    .selectFrom('users')
    .select('username')
    .where('id', '<>', id)
    .where((eb) => eb.or([eb('username', '=', username), eb('email', '=', email)]))
    .executeTakeFirst();
  if (other) throw new ApiError(status, `${other.username === username ? 'username' : 'email'} has already been taken`);
}
interface Names {
  id: string;
  username?: string | undefined;
  email?: string | undefined;
}

function checkPassword(password: string): void {
  requireTexts({ password });
  if (password.length < 8) throw new ApiError(422, 'password is too short: it needs 8 characters');
}

// A stream holds no transaction while it hashes.
const CreateUser = stream(
  'CreateUser',
  { user: true },
  async ({ body: { user } }, _db, { write, issue }) => {
    const { username, email, password } = user;
    requireTexts({ username, email });
    checkPassword(password);
    const id = randomUUID();
    const [token, hashed] = [await issue({ owner: id }), await hashOf(password)];
    return write(async (db) => {
      await refuseTaken(db, 409, { id, username, email });
      const added = db.insertInto('users').values({ id, username, email, password: hashed });
      return { status: 201, body: { user: { ...(await added.returning(USER).executeTakeFirstOrThrow()), token } } };
    });
  },
  // Of two that register it at the same time, one fails at the constraint.
  { conflict: () => 'username has already been taken' },
);

const Login = stream('Login', { user: true }, async ({ body: { user } }, db, { issue }) => {
  requireTexts({ email: user.email, password: user.password });
  const found = await db
    .selectFrom('users')
    .select([...USER, 'id', 'password'])
    .where('email', '=', user.email)
    .executeTakeFirst();
  const isSame = await isPassword(user.password, found?.password);
  if (!found || !isSame) throw new ApiError(401, 'credentials invalid');
  const { id, password: _, ...own } = found;
  return { status: 200, body: { user: { ...own, token: await issue({ owner: id }) } } };
});

const GetCurrentUser = read('GetCurrentUser', async (_, db, { caller, issue }) => {
  const { owner = '' } = caller;
  const user = await db.selectFrom('users').select(USER).where('id', '=', owner).executeTakeFirst();
  if (!user) throw new ApiError(401, 'token is of nobody');
  return { status: 200, body: { user: { ...user, token: await issue({ owner }) } } };
});

const UpdateCurrentUser = stream(
  'UpdateCurrentUser',
  { user: true },
  async ({ body: { user } }, _db, { caller, write, issue }) => {
    const { owner = '' } = caller;
    const { username, email, password, bio, image } = user;
    if (Object.keys(user).length === 0) throw new ApiError(422, "user can't be blank");
    requireTexts({ username, email });
    if (password !== undefined) checkPassword(password);
    const changes = { username, email, bio: bio === '' ? null : bio, image: image === '' ? null : image };
    const hashed = password === undefined ? undefined : await hashOf(password);
    const token = await issue({ owner });
    return write(async (db) => {
      await refuseTaken(db, 422, { id: owner, username, email });
      const changed = db.updateTable('users').set({ ...changes, password: hashed });
      const row = await changed.where('id', '=', owner).returning(USER).executeTakeFirst();
      if (!row) throw new ApiError(401, 'token is of nobody');
      return { status: 200, body: { user: { ...row, token } } };
    });
  },
);

export const users = { CreateUser, Login, GetCurrentUser, UpdateCurrentUser };
