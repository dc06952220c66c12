// Backups by timer, and what a restore loses and brings back, by dump and to a moment, as deploy/backup/README.md says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { blocksOf as allBlocks, examples, SERVICE } from './document.mjs';
import { eventually, isReady, keys, send, sh, superuser, VERSION } from './shell.mjs';

const blockOf = (heading) =>
  allBlocks('deploy/backup/README.md', heading)[0].replaceAll(/15(?=[-/ ]main|[ /]lost)/g, VERSION);

const [DUMPS, COPIES] = [`/var/lib/backup/${SERVICE}`, '/var/lib/postgresql/base'];
const newest = (folder) => `${folder}/${readdirSync(folder).sort().at(-1)}`;

export async function tryBackups(service) {
  sh(blockOf('Dumps'));
  sh(blockOf('Copies and the write-ahead log'));
  tryCronJob();
  tryRetention();
  tryArchive();
  await drill(service, () => {
    sh('systemctl start backup@shop.service'.replace('shop', SERVICE));
    return () => sh(blockOf('Restore a dump'), { DUMP: newest(DUMPS) });
  });
  await drill(service, () => {
    sh('systemctl start base-backup.service');
    const COPY = newest(COPIES);
    return (SINCE) => sh(blockOf('Restore to a moment'), { COPY, SINCE });
  });
}

/** Runs the script of the CronJob with its rights: without capabilities, on a file system that it cannot write. */
function tryCronJob() {
  const job = readFileSync('deploy/backup/cronjob.yaml', 'utf8');
  const value = (before, after) => job.split(before)[1].split(after)[0];
  const command = value('command: [', ']').replaceAll(',', '');
  sh(`
mkdir /cron-backups /cron-database /scripts /etc/database /backups
cp /etc/${SERVICE}/backup.url /cron-database/url
chown --recursive nobody /cron-backups /cron-database
systemd-run --quiet --wait --pipe --uid nobody --setenv DATABASE_URL_FILE=${value('name: DATABASE_URL_FILE\n                  value: ', '\n')} \
  --property ProtectSystem=strict --property CapabilityBoundingSet= --property NoNewPrivileges=yes --property TemporaryFileSystem=/tmp \
  --property BindReadOnlyPaths=$PWD/deploy/backup:/scripts --property BindReadOnlyPaths=/cron-database:/etc/database \
  --property BindPaths=/cron-backups:/backups ${command}
pg_restore --list /cron-backups/*.dump | grep 'TABLE DATA public api_keys '`);
}

/** A backup deletes those that are too old, also their write-ahead log, and half a backup of an interrupted run. */
function tryRetention() {
  const old = [`${DUMPS}/2020-01-01T00-00-00Z.dump`, `${DUMPS}/2020-01-01T00-00-00Z.dump.part`];
  sh(
    `cp --archive ${newest(COPIES)} ${COPIES}/2020-01-01T00-00-00Z; touch --date 2020-01-01 ${old.join(' ')} ${COPIES}/2020*`,
  );
  const wal = readdirSync('/archive').filter((name) => name.length === 24);
  // Their names are seconds.
  sh(`sleep 1.1; systemctl start backup@${SERVICE}.service base-backup.service`);
  const [dumps, copies] = [DUMPS, COPIES].map((place) => readdirSync(place));
  assert(!`${[...dumps, ...copies]}`.includes('2020-'), 'old backups are deleted');
  assert(dumps.length >= 1 && copies.length >= 2, 'there are backups');
  assert(!new Set(wal).isDisjointFrom(new Set(readdirSync('/archive'))), 'the log that the oldest copy needs is kept');
  assert.equal(sh(`systemctl is-active backup@${SERVICE}.timer base-backup.timer`), 'active\nactive');
}

/** The archive replaces a file that was cut off, and refuses one of another Postgres. */
function tryArchive() {
  sh(`
cd "$(mktemp --directory)"
archive=/usr/local/lib/backup/archive
head --bytes 1000000 /dev/urandom > wal
head --bytes 100000 wal > partial
$archive wal partial
cmp wal partial
echo another > foreign
if $archive wal foreign; then exit 1; fi
[ "$(cat foreign)" = another ]`);
}

/** Loses the last changes. @param backup - makes a backup, and returns how to restore it */
async function drill(service, backup) {
  const { target, body } = Object.values(examples).find(({ method }) => method === 'POST');
  const issue = (name) => JSON.parse(keys(`create --name ${name} --plan free --json`));
  const authorized = ({ key }) => ({ Authorization: `Bearer ${key}` });
  const list = (key) => send(service.path, { headers: authorized(key) });
  const create = async (name) => {
    const headers = { ...service.headers, 'Content-Type': 'application/json', 'Idempotency-Key': name };
    const answer = await send(target, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201);
    return JSON.parse(answer.body);
  };
  const [kept, revoked] = [issue('kept'), issue('revoked')];
  await create(`before-${revoked.id}`);
  const { body: before } = await list(kept);

  const restore = backup();
  const SINCE = superuser(`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
  const printed = [keys(`revoke ${revoked.id} --by ann`), keys('create --name New --plan free --json')];
  writeFileSync('keys.log', printed.join('\n'));
  const gone = JSON.parse(printed[1]);
  const lost = await create(`once-${revoked.id}`);
  restore(SINCE);

  const after = blockOf('After a restore');
  const output = sh(after, { SINCE });
  assert.match(output, /_id_seq *\| *\d+ *\| *\d+$/m);
  const listed = (...cells) => output.replaceAll(' ', '').includes(cells.join('|'));
  assert(listed('', 'revoke', revoked.id, 'ann'), 'the revocation is listed');
  assert(listed('', 'create', gone.id, ''), 'the new key is listed');
  assert(!listed('', 'create', kept.id, ''), 'an earlier change is not listed');

  sh(`systemctl start server@${SERVICE} server@${SERVICE}-2`);
  await eventually('both servers are ready', async () => (await isReady()) && (await isReady(3001)));
  assert.deepEqual([(await list(kept)).body, (await list(revoked)).status], [before, 200]);
  assert.equal(JSON.parse((await list(gone)).body).code, 'api_key_invalid');
  // Without the first statement, the new row would get the id of the lost one.
  assert((await create(`once-${revoked.id}`)).id > lost.id + 9_000, 'the new id is far from the lost one');
  assert(issue('again').id > gone.id + 9_000, 'the id of a new key is, too');
  // Also beside the cluster that is lost.
  sh(`systemctl start backup@${SERVICE}.service`);
}
