import { text } from 'node:stream/consumers';
import { DAY, isWellFormed, type KeysOf } from '@petstore-platform/server-runtime/operate';
import { type Command, Option } from 'commander';
import { type Db, describeKey, idOf, type NewApiKey, revokeApiKey, selectApiKeys, shown } from './api-keys.ts';
import * as changes from './key-changes.ts';
import { collectClaim, parseDuration, parseExpiry, parseId, parseLimit, parseScopes, parseText } from './options.ts';
import { line, listed, type Run, showKey, table, write } from './output.ts';
import { type DevelopmentToken, developmentToken } from './token.ts';

type Json = { json?: true | undefined };
type By = { by?: string | undefined };
type Issued = { id: number; key: string; name: string; plan: string };
type Rotation = { overlap: number; expires?: NewApiKey['expires'] };

const HOLDS = 'this holds on every server within 10 seconds';

/** The commands of `keys`. */
export function addKeysCommands(service: KeysOf & { tokens?: object | undefined }, keys: Command, run: Run): void {
  const { plans } = service.contract;
  const plan = () => new Option('--plan <plan>').choices(Object.keys(plans));
  const command = (name: string, description: string) => keys.command(name).description(description);
  const ofKey = (name: string, description: string) =>
    command(name, description).argument('<id>', 'of the key, as in the list', parseId);
  const changing = (each: Command) => each.option('--by <text>', 'who does it, for the log of changes', parseText);
  const withLimits = (each: Command) =>
    each
      .option('--per-minute <n>', 'requests per minute: required by enterprise, refused by other plans', parseLimit)
      .option('--per-day <n>', 'requests per day, likewise', parseLimit)
      .option('--owner <text>', 'to whom it belongs, at most 100 characters', parseText)
      .option(
        '--scopes <list>',
        'what it may do, as in orders:read,orders:write; default: what needs no scope',
        parseScopes,
      )
      .option('--expires <date>', 'first moment at which it is refused, in UTC, or never', parseExpiry);

  /** Prints what was done, and each change as a line of JSON, for the operator's log. */
  const change = <Result>(
    by: string | undefined,
    work: (db: Db) => Promise<Result>,
    print: (result: Result) => string,
  ) =>
    run((db) =>
      changes.changeKeys(db, by, work, (result, entries) => [print(result), ...entries.map(line)].join('\n')),
    );

  /** Prints a new key, and only then commits: nobody would have a key that was not shown. */
  const issue = <Result extends Issued>(
    { by, json }: By & Json,
    work: (db: Db) => Promise<Result>,
    print: (result: Result) => string,
  ) =>
    run(async (db) => {
      await changes.changeKeys(db, by, work, (result, entries) =>
        showKey(json ? line({ ...result, changes: entries }) : [print(result), ...entries.map(line)].join('\n')),
      );
      return [];
    });

  withLimits(changing(command('create', 'issue an API key, which is shown this once only')))
    .requiredOption('--name <text>', 'name of its holder, at most 100 characters', parseText)
    .addOption(plan().makeOptionMandatory())
    .option('--json', 'print one JSON object')
    .action(({ json, by, ...newKey }: NewApiKey & Json & By) => {
      changes.checkLimits(plans, newKey);
      const work = async (db: Db) => ({ ...(await changes.create(service, db, newKey)), ...newKey });
      return issue({ by, json }, work, issued);
    });

  withLimits(changing(ofKey('update', 'change what is given')))
    .option('--name <text>', 'name of its holder, at most 100 characters', parseText)
    .addOption(plan())
    .action((id: number, { by, ...values }: Partial<NewApiKey> & By) => {
      if (Object.keys(values).length === 0) throw new Error('Give at least one of the options that change a key');
      const work = (db: Db) => changes.update(service, db, id, values);
      const then = (isRevoked: boolean) => (isRevoked ? 'it stays revoked' : HOLDS);
      return change(by, work, (isRevoked) => `Key ${id} is updated; ${then(isRevoked)}.`);
    });

  changing(ofKey('rotate', 'issue a key like another one, which expires'))
    .addOption(
      new Option('--overlap <duration>', 'how long both are valid').argParser(parseDuration).default(DAY, '24h'),
    )
    .option('--expires <date>', 'of the new key; default: as of the old one', parseExpiry)
    .option('--json', 'print one JSON object')
    .action((id: number, { overlap, expires, ...how }: Rotation & By & Json) => {
      const work = (db: Db) => changes.rotate(service, db, id, overlap, expires);
      return issue(how, work, (result) => `${issued(result)} Key ${id} expires ${result.oldExpires}.`);
    });

  changing(ofKey('unban', 'end the ban of a key')).action((id: number, { by }: By) =>
    change(
      by,
      (db) => changes.unban(db, id),
      (wasBanned) => (wasBanned ? `The ban of key ${id} is lifted; ${HOLDS}.` : `Key ${id} is not banned.`),
    ),
  );

  changing(ofKey('revoke', 'refuse a key from now on')).action((id: number, { by }: By) =>
    change(
      by,
      (db) => revokeApiKey(db, id),
      () => `Key ${id} is revoked; every server refuses it within 10 seconds.`,
    ),
  );

  command('list', 'show all keys')
    .option('--owner <text>', 'those of an owner only', parseText)
    .option('--banned', 'those that are banned only')
    .option('--json', 'print a JSON array')
    .action(({ json, ...filter }: Json & { owner?: string; banned?: true }) =>
      run(async (db) => {
        const pages = selectApiKeys(db, filter, service);
        return listed(pages, (row) => shown(service, row), json, 'There are no keys.');
      }),
    );

  ofKey('show', 'show a key, its last use, the use of its windows, and its ban')
    .option('--json', 'print one JSON object')
    .action((id: number, { json }: Json) =>
      run(async (db) => {
        const key = await describeKey(service, db, id);
        const rows = Object.entries(key).map(([field, value]) => ({ field, value }));
        return [`${json ? line(key) : table(rows, false)}\n`];
      }),
    );

  command('find', 'read a leaked key from standard input, and print its id')
    // The message of commander would repeat the arguments, one of which may be the key.
    .allowExcessArguments()
    .action(async (_options: object, { args }: Command) => {
      if (args.length > 0) throw new Error('The key belongs on standard input: other processes can read arguments');
      if (process.stdin.isTTY) console.error('Enter the key, then press Ctrl+D.');
      const key = (await text(process.stdin)).trim();
      if (!isWellFormed(service.keyPrefix, key)) throw new Error('This is no key of this service, or it is incomplete');
      await run(async (db) => {
        const id = await idOf(db, key);
        if (id === undefined) throw new Error('This key was never issued here');
        return [`${id}\n`];
      });
    });

  if (service.tokens)
    command('token', 'issue an access token of the issuer of npm start, for development')
      .option('--subject <text>', 'for whom it is', parseText, 'developer')
      .option('--scopes <list>', 'what it may do, as in orders:read,orders:write', parseScopes, [])
      .option('--claim <name=value>', 'a further claim; may be given several times', collectClaim, {})
      .addOption(new Option('--valid <duration>', 'how long').argParser(parseDuration).default(DAY, '24h'))
      .action(async (token: DevelopmentToken) =>
        write(await developmentToken(process.env, token), 'The token cannot be shown'),
      );

  command('log', 'show all changes of keys, or those of one')
    .argument('[id]', 'of the key', parseId)
    .option('--json', 'print a JSON array')
    .action((id: number | undefined, { json }: Json) =>
      run(async (db) => listed(changes.selectChanges(db, id), changes.changeOf, json, 'There are no changes.')),
    );
}

const issued = ({ id, key, name, plan }: Issued) =>
  `Key ${id} (${name}, ${plan}):\n\n  ${key}\n\nIt is shown only this once.`;
