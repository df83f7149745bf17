-- Whoever holds an answer open hears at once that somebody may have lost the right to it (app/access-watch.ts). Triggers,
-- so that no way of revoking can forget to tell: a route, a sweep, or an operator with psql.
create function tell_access_change() returns trigger language plpgsql as $tell$
begin
  perform pg_notify('access_changes', old.workspace_id);
  return null;
end
$tell$;

create trigger api_keys_tell after update of revoked_at, workspace_id, scopes on api_keys
  for each row when (old is distinct from new) execute function tell_access_change();
create trigger sessions_tell after update of revoked_at, workspace_id on sessions
  for each row when (old is distinct from new) execute function tell_access_change();
create trigger memberships_tell after update of status, role on memberships
  for each row when (old is distinct from new) execute function tell_access_change();
create trigger memberships_gone after delete on memberships
  for each row execute function tell_access_change();
