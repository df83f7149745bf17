-- A workspace that its owner deleted: closed at once, erased by the next sweeps, and afterwards nothing but the fact.
alter table workspaces add column deleted_at timestamptz, add column erased_analyses integer not null default 0;
create index workspaces_deleted on workspaces (deleted_at) where deleted_at is not null;

-- What an operator can show when asked whether something was erased. Nothing of the customer is in it.
create table erased_workspaces (
  id text primary key,
  deleted_at timestamptz not null,
  erased_at timestamptz not null default now(),
  analyses integer not null,
  storage_objects integer not null
);
