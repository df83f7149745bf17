-- How long a workspace keeps the audio of its songs, as its owner wants it. 'as_asked' is what each submission says.
alter table workspaces
  add column retain_source text not null default 'as_asked'
    check (retain_source in ('as_asked', 'never', 'days', 'forever')),
  add column retain_source_days integer check (retain_source_days between 1 and 36500),
  add constraint workspaces_source_days check ((retain_source = 'days') = (retain_source_days is not null));
create index workspaces_that_delete_sources on workspaces (id) where retain_source in ('never', 'days');
create index analyses_with_kept_source on analyses (workspace_id, completed_at)
  where retain_source and deleted_at is null and completed_at is not null;
