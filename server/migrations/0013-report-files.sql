-- The report of an analysis as PDF, made once: a quarter of a second of computing that anybody with a key could ask for again
-- and again. One per analysis, counted in the storage of its workspace, and gone with the analysis.
create table report_files (
  analysis_id text primary key references analyses on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  object_id text not null references storage_objects on delete cascade,
  -- Of all that is in the report: a correction makes another.
  content_sha256 text not null,
  created_at timestamptz not null default now()
);
create index report_files_of_object on report_files (object_id);
create index report_files_of_workspace on report_files (workspace_id);
