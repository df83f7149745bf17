-- How long a workspace keeps its finished analyses, if its owner wants them gone sooner than the operator does.
alter table workspaces add column retention_days integer check (retention_days between 1 and 36500);
create index workspaces_with_retention on workspaces (id) where retention_days is not null;
create index analyses_ended_of_workspace on analyses (workspace_id, completed_at) where deleted_at is null and completed_at is not null;
