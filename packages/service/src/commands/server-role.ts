import { connectionString, type Tenanted, unscopedRole, withDatabase } from '@petstore-platform/server-runtime/operate';

/** Several servers may start at the same time, also on other databases of the cluster, which share its roles. */
const createRoles = (server: string, unscoped: string) => `do $$ begin
  perform pg_advisory_xact_lock(hashtext('${server}'));
  begin create role ${server} noinherit login; exception when duplicate_object or unique_violation then null; end;
  begin create role ${unscoped}; exception when duplicate_object or unique_violation then null; end;
  if not pg_has_role('${server}', '${unscoped}', 'member') then
    begin grant ${unscoped} to ${server}; exception when unique_violation then null; end;
  end if;
  execute format('grant usage on schema %1$I to ${server}, ${unscoped};
    grant select, insert, update, delete on all tables in schema %1$I to ${server}, ${unscoped};
    grant usage on all sequences in schema %1$I to ${server}, ${unscoped}', current_schema());
end $$`;

/**
 * The URL with which a service serves a migrated database. Policies do not limit a superuser, as `npm start` and tests have it: the sessions
 * of its server become a role that they do, which this creates.
 */
export async function servedUrl(service: Tenanted & { command: string }, url: string): Promise<string> {
  if (Object.keys(service.tenants).length === 0) return url;
  const server = `${service.name}_server`;
  const isSuperuser = await withDatabase(service, url, async ({ pool }) => {
    const { rows } = await pool.query('select from pg_roles where rolname = current_user and rolsuper');
    if (rows.length > 0) await pool.query(createRoles(server, unscopedRole(service.name)));
    return rows.length > 0;
  });
  if (!isSuperuser) return url;
  const served = new URL(connectionString(url));
  served.searchParams.set('options', `-c role=${server}`);
  return served.href;
}
