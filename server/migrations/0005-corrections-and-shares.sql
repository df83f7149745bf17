-- What a person knows better than the estimate, and links by which a report can be read without an account.

create table analysis_corrections (
  analysis_id text primary key references analyses on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  bpm double precision,
  key text,
  first_downbeat_seconds double precision,
  note text,
  corrected_by text not null,
  updated_at timestamptz not null
);
create index analysis_corrections_of_workspace on analysis_corrections (workspace_id);

create table analysis_shares (
  id text primary key,
  analysis_id text not null references analyses on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  -- Of the token in the link; the link itself is told once.
  token_hash text not null unique,
  created_by text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index analysis_shares_of_analysis on analysis_shares (analysis_id, id desc);
create index analysis_shares_of_workspace on analysis_shares (workspace_id);
