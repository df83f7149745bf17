-- What songs are compared by. `seq` grows with every write, so that a process that has read them once reads only what came since.
create sequence song_sounds_seq;
create table song_sounds (
  analysis_id text primary key references analyses on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  seq bigint not null default nextval('song_sounds_seq'),
  embedding_version integer not null,
  -- Numbers of 32 bits, little-endian (docs/result-format.md#embedding).
  embedding bytea not null
);
create index song_sounds_of_workspace on song_sounds (workspace_id, seq);
grant usage on sequence song_sounds_seq to public;
-- Every row is made again, with its sound.
update songs set shelf_version = 0 where duration_seconds is not null;
