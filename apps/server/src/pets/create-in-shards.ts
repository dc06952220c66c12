import { sql } from 'kysely';
import type pg from 'pg';
import { EXPIRED } from '../database/clock.ts';
import { OutcomeUnknown } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { statement, write } from '../database/statement.ts';
import type { Pet } from '../generated/operations.ts';
import type { Created, PetCreation } from './create.ts';
import { selectLastVisible } from './read.ts';

/**
 * Adds pets to the shards of Citus. First their rows are committed, which reaches one node after the other. Then a commit on
 * the coordinator alone makes them visible, by `pets_visible`, and stores their idempotency keys.
 *
 * Rows of a creation that did not get that far stay invisible: their ids are given again, and the primary key refuses them
 * until they are deleted, even if Citus commits them later. A lock of the session makes creations take turns.
 *
 * @throws OutcomeUnknown when a connection is lost on the way
 */
export function insertIntoShards(db: DatabaseHandle, creations: PetCreation[]): Promise<Created[]> {
  return write(db, async (connection) => {
    let warning: unknown;
    const onNotice = (notice: unknown) => {
      warning = notice;
    };
    try {
      await connection.query(`${SETTINGS}, pg_advisory_lock('pets'::regclass::oid::integer, 0)`);
      const before = await selectLastVisible(connection);
      const first = await selectFirst(connection, { creations: JSON.stringify(creations) });
      let last = before;
      const answers = creations.map(({ newPet: { name, categoryId, status }, ...of }, index) => {
        const { pet, fingerprint } = first[index] as First;
        if (pet) return { pet, fingerprint: fingerprint ?? undefined };
        return { pet: { id: ++last, name, categoryId, ...(status && { status }) }, ...of };
      });
      const added = answers.filter(({ pet }) => pet.id > before);
      if (added.length === 0) return answers;
      connection.on('notice', onNotice);
      if (db.unfinished !== false) {
        // Sooner than Citus, which ends lost prepared transactions once a minute. Reserved to some roles.
        await connection.query('select recover_prepared_transactions()').catch(() => {});
        await connection.query('delete from pets where id > $1', [before]);
      }
      db.unfinished = true;
      await connection.query(insertRows(added.map(({ pet }) => pet)));
      // Citus only warns of a node that has not committed.
      if (warning) throw new OutcomeUnknown(warning);
      const [made] = await makeVisible(connection, { before, last, answers: JSON.stringify(added) });
      if (!made) throw new OutcomeUnknown(new Error('Another creation took the turn'));
      db.unfinished = false;
      return answers;
    } finally {
      connection.off('notice', onNotice);
      await connection.query(`select pg_advisory_unlock('pets'::regclass::oid::integer, 0)`);
    }
  });
}

/** A server that freezes loses its turn with its session. */
const SETTINGS = `
  select set_config('client_min_messages', 'warning', false), set_config('idle_session_timeout', '6s', false)`;

/** The answer to the first request with a key; null without one. */
interface First {
  pet: Pet | null;
  fingerprint: string | null;
}

const selectFirst = statement<{ creations: string }, First>(
  'select_first_answers',
  (value) => sql`
    select pet, first.fingerprint
    from rows from (json_to_recordset(${value('creations')}::json) as ("apiKeyId" bigint, key text))
      with ordinality as creation (api_key_id, key, position)
    left join lateral (
      select answer as pet, encode(fingerprint, 'hex') as fingerprint from idempotency_keys
      where (api_key_id, key) = (creation.api_key_id, creation.key) and not ${EXPIRED} limit 1
    ) as first on true
    order by position`,
);

/** An insert of values: Citus copies the rows of any other source, which takes ten times as long. */
function insertRows(pets: Pet[]): pg.QueryConfig {
  const rows = pets.map((_, row) => `($${4 * row + 1}, $${4 * row + 2}, $${4 * row + 3}, $${4 * row + 4})`);
  const values = pets.flatMap(({ id, name, categoryId, status }) => [id, name, categoryId, status ?? null]);
  const text = `insert into pets (id, name, category_id, status) overriding system value values ${rows}`;
  return { text, values };
}

const makeVisible = statement<{ before: number; last: number; answers: string }, { last: number }>(
  'make_visible',
  (value) => sql`
    with visible as (
      update pets_visible set last = ${value('last')}::bigint where last = ${value('before')}::bigint returning last
    ), remembered as (
      insert into idempotency_keys (api_key_id, key, fingerprint, answer, created_at)
      select "apiKeyId", key, decode(fingerprint, 'hex'), pet, petstore_now()
      from visible, json_to_recordset(${value('answers')}::json) as answer
        ("apiKeyId" bigint, key text, fingerprint text, pet json)
      where key is not null
      on conflict (api_key_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
    )
    select last from visible`,
);
