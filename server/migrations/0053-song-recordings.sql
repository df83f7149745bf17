-- Copies of a recording in other encodings. `recording` is a sketch of the fingerprint (server/src/library/recording.ts); the
-- smallest numbers of it are keys here, so that copies are found among a hundred thousand songs by a few lookups.
alter table songs add column recording integer[];
create table song_recordings (
  workspace_id text not null references workspaces on delete cascade,
  hash integer not null,
  analysis_id text not null references analyses on delete cascade,
  primary key (workspace_id, hash, analysis_id)
);
create index song_recordings_of_analysis on song_recordings (analysis_id);
