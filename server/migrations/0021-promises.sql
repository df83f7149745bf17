-- An invitation may be turned down by the invited. It is revoked as well, so that every question about open ones holds.
alter table invitations add column declined_at timestamptz;

-- A key of idempotency belongs to its workspace, whatever the route; without an account, to the address it came from.
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys alter column workspace_id drop not null;
alter table idempotency_keys add column client text;
alter table idempotency_keys add column holder text generated always as (coalesce(workspace_id, client)) stored;
delete from idempotency_keys old using idempotency_keys newer
  where old.workspace_id = newer.workspace_id and old.key = newer.key
    and (old.created_at, old.scope) < (newer.created_at, newer.scope);
alter table idempotency_keys add primary key (holder, key);
-- Processes of the version before, which are still running while this is applied, look by these.
create unique index idempotency_keys_by_scope on idempotency_keys (workspace_id, scope, key);
