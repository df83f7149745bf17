-- What was in groups, in a third of its bytes (server/src/analyses/stored-groups.ts); rows of before keep theirs. What a poll asks of it stands beside it.
alter table analysis_results
  alter column groups drop not null,
  add column packed_groups bytea,
  add column sections json,
  -- Not valid: rows of before need not be looked at, while all wait.
  add constraint groups_in_one_form check ((groups is null) <> (packed_groups is null)) not valid;
