-- A second wall between workspaces (docs/adr): a request's transaction names its workspace in the setting
-- earshot.tenant, and the database itself shows it no row of another, whatever the query forgot. '*' is the service
-- itself: workers, sign-in, provider events. Nothing set: nothing seen.

create function current_tenant() returns text language sql stable parallel safe as
  $$ select coalesce(current_setting('earshot.tenant', true), '') $$;

-- Addresses are looked up by equality on a column: under row security an index on lower(email) could not be used,
-- because lower() is not leakproof.
alter table invitations add column email_key text generated always as (lower(email)) stored;
create index invitations_by_email_key on invitations (email_key) where accepted_at is null and revoked_at is null;
drop index invitations_by_email;

-- Run after every migration, so that a table added later stands behind the wall by having a workspace_id, or the
-- analysis_id of what belongs to one.
create function raise_tenant_wall() returns void language plpgsql as $wall$
declare
  item record;
begin
  for item in
    select c.relname as name,
      case
        when c.relname = 'workspaces' then 'id = (select current_tenant())'
        when c.relname = 'webhook_attempts'
          then 'exists (select 1 from webhook_deliveries d where d.id = delivery_id)'
        when 'workspace_id' = any (c.columns) then 'workspace_id = (select current_tenant())'
        else 'exists (select 1 from analyses a where a.id = analysis_id)'
      end as belongs
    from (
      select t.oid, t.relname, array_agg(a.attname::text) as columns
      from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where t.relkind in ('r', 'p') and t.relnamespace = current_schema()::regnamespace
      group by t.oid, t.relname
    ) c
    where (c.relname in ('workspaces', 'webhook_attempts') or c.columns && array['workspace_id', 'analysis_id'])
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_wall')
  loop
    execute format('alter table %I enable row level security', item.name);
    -- The owner of the tables is the only role a hosted database may give us, so the owner is held to it too.
    execute format('alter table %I force row level security', item.name);
    execute format('create policy tenant_wall on %I using ((select current_tenant()) = ''*'' or %s)',
                   item.name, item.belongs);
  end loop;
  -- Superusers pass through every wall. Where we are one, requests step down to a role that is none.
  if (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) then
    begin
      create role earshot_tenant nologin;
      execute format('grant earshot_tenant to %I', current_user);
    exception when duplicate_object or unique_violation then null;
    end;
    execute format('grant usage on schema %I to earshot_tenant', current_schema());
    execute format('grant select, insert, update, delete on all tables in schema %I to earshot_tenant', current_schema());
    revoke all on schema_migrations from earshot_tenant;
  end if;
end
$wall$;
