import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import type { DatabaseHandle } from '../database/open.ts';
import { type Change, selectChanges } from './changes.ts';
import { type KeysOf, selectApiKeys } from './keys.ts';
import { listed, type Row, table } from './output.ts';
import { shown } from './show.ts';

export interface Restored {
  /** The moment of the restored state. */
  since: Date;
  skipIds: number;
  /** A file with the lines that the commands of `keys` have printed. */
  log?: string;
}

/**
 * Makes a restored database safe to serve from: no id that was given since is given again. Lists the changes of the log that an operator
 * has to repeat or, without a log, the keys that may have been revoked since.
 */
export async function* afterRestore(service: KeysOf, db: DatabaseHandle, { since, skipIds, log }: Restored) {
  const { rows } = await sql<Row>`
    select sequencename as sequence, coalesce(last_value, 0) as "lastId",
      setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${skipIds}) as "skippedTo"
    from pg_sequences where schemaname = current_schema() order by 1`.execute(db.kysely);
  yield `${table(rows)}\n\n`;
  if (log === undefined) {
    yield 'Valid keys, each of which may have been revoked or changed since:\n\n';
    yield* listed(validKeys(service, db), (key) => key, undefined, 'There are none.');
  } else {
    const lost = await lostChanges(db, since, log);
    yield `Changes of keys in ${log} that are lost:\n\n${lost.length > 0 ? table(lost) : 'There are none.'}\n`;
  }
}

async function* validKeys(service: KeysOf, db: DatabaseHandle) {
  const { rows } = await sql<{ now: Date }>`select service_now() as now`.execute(db.kysely);
  const now = Number(rows[0]?.now);
  for await (const page of selectApiKeys(db)) {
    const valid = page.filter((key) => !key.revoked_at && (!key.expires_at || now < Number(key.expires_at)));
    if (valid.length > 0) yield valid.map((key) => shown(service, key));
  }
}

/** The lines of the log from that time on which the database lacks, with what to do. */
async function lostChanges(db: DatabaseHandle, since: Date, log: string): Promise<Row[]> {
  const nameOf = ({ time, action, keyId }: Change) => `${time} ${action} ${keyId}`;
  const known = new Set<string>();
  for await (const page of selectChanges(db)) for (const change of page) known.add(nameOf(change));
  const lost: Change[] = [];
  for await (const text of createInterface({ input: createReadStream(log) }))
    for (const change of changesIn(text))
      if (Date.parse(String(change.time)) >= Number(since) && !known.has(nameOf(change))) lost.push(change);
  // Keys that were created since are gone, and their ids may have been given again.
  const gone = new Set(lost.filter(({ before }) => !before).map(({ keyId }) => keyId));
  return lost.map(({ time, action, keyId, by, before, after }) => {
    const again = action === 'revoke' ? `keys revoke ${keyId}` : 'repeat it';
    return { time, action, keyId, by, before, after, todo: gone.has(keyId) ? 'gone: issue another key' : again };
  });
}

/** The changes in a line that a command has printed, with or without `--json`. Other lines have none. */
function changesIn(text: string): Change[] {
  try {
    const value = JSON.parse(text);
    return [value?.changes ?? value].flat().filter((change) => change?.keyId && change.action && change.time);
  } catch {
    return [];
  }
}
