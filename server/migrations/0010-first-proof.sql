-- A workspace whose address was proved by somebody else than its registrant: nobody is in it, its keys are dead. The prover
-- may claim it; otherwise it is closed after a while (workspaces/set-aside.ts).
alter table workspaces
  add column set_aside_at timestamptz,
  add column set_aside_for text references users on delete set null;
create index workspaces_set_aside on workspaces (set_aside_at) where set_aside_at is not null and deleted_at is null;

-- A key of somebody who left the team must not come back to life when they do.
update api_keys k set revoked_at = now()
from memberships m
where m.workspace_id = k.workspace_id and m.user_id = k.created_by and m.status = 'removed' and k.revoked_at is null;

-- Who asked for a code: limits and replacements are per requester, so that a stranger cannot spend or void the codes of
-- the owner. `reissues` bounds the mail that one challenge can cause.
alter table sign_in_challenges add column requester text, add column reissues integer not null default 0;

