-- The library: one row for every analysis of a workspace, with all that people search, sort and filter by. It is made from
-- the result, its correction and what people wrote about the song (server/src/library/shelve.ts); nothing is only here but
-- that last part.
create table songs (
  analysis_id text primary key references analyses on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  created_at timestamptz not null,
  -- What the file says, and what people wrote instead.
  file_title text,
  file_artist text,
  file_album text,
  written_title text,
  written_artist text,
  written_album text,
  tags text[] not null default '{}',
  note text,
  rating smallint check (rating between 0 and 5),
  described_at timestamptz,
  -- What is shown, and what it is sorted by: without case and accents.
  title text,
  artist text,
  album text,
  title_key text collate "C",
  artist_key text collate "C",
  bpm double precision,
  key_notation text,
  camelot text,
  -- 0 to 23 round the wheel: 1A, 1B, 2A, …
  key_number integer,
  energy double precision,
  danceability double precision,
  valence double precision,
  loudness_lufs double precision,
  -- Not null once completed, and only then.
  duration_seconds double precision,
  genre text,
  mood text,
  voice boolean,
  artwork boolean not null default false,
  -- 120 peaks, one byte each.
  waveform bytea,
  sha256 text,
  -- The first song of the workspace that is the same recording.
  duplicate_of text,
  -- Its rows in song_terms.
  terms text[] not null default '{}',
  -- Below the code's own number: to be made again (the sweeper does).
  shelf_version integer not null default 0
);
-- One index for every order. Comparisons of text and numbers are leakproof, so row security lets them use an index; those of
-- arrays and text search are not, hence song_terms.
create index songs_by_created on songs (workspace_id, created_at, analysis_id);
create index songs_by_title on songs (workspace_id, title_key, analysis_id);
create index songs_by_artist on songs (workspace_id, artist_key, analysis_id);
create index songs_by_bpm on songs (workspace_id, bpm, analysis_id);
create index songs_by_key on songs (workspace_id, key_number, analysis_id);
create index songs_by_energy on songs (workspace_id, energy, analysis_id);
create index songs_by_danceability on songs (workspace_id, danceability, analysis_id);
create index songs_by_loudness on songs (workspace_id, loudness_lufs, analysis_id);
create index songs_by_duration on songs (workspace_id, duration_seconds, analysis_id);
create index songs_by_valence on songs (workspace_id, valence, analysis_id);
create index songs_by_sha256 on songs (workspace_id, sha256) where sha256 is not null;
create index songs_duplicates on songs (workspace_id, duplicate_of, analysis_id) where duplicate_of is not null;
create index songs_to_shelve on songs (shelf_version);

-- Words (w:), tags, genres, moods and instruments of every song, for equality and prefixes.
create table song_terms (
  workspace_id text not null references workspaces on delete cascade,
  term text collate "C" not null,
  analysis_id text not null,
  primary key (workspace_id, term, analysis_id)
);

alter table songs set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table song_terms set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

-- What the summary tells at once; names, words and waveforms are filled in by the sweeper.
insert into songs (analysis_id, workspace_id, created_at, title, bpm, key_notation, camelot, key_number, energy, danceability,
  valence, loudness_lufs, duration_seconds)
select a.id, a.workspace_id, a.created_at, a.file_name, (r.summary->>'bpm')::float8, r.summary->>'key_notation',
  r.summary->>'camelot',
  (substring(r.summary->>'camelot' from '^\d+')::int - 1) * 2 + case when r.summary->>'camelot' like '%B' then 1 else 0 end,
  (r.summary->>'energy')::float8, (r.summary->>'danceability')::float8, (r.summary->>'valence')::float8,
  (r.summary->>'loudness_lufs')::float8, (r.summary->>'duration_seconds')::float8
from analyses a left join analysis_results r on r.analysis_id = a.id
where a.workspace_id is not null and a.deleted_at is null;
