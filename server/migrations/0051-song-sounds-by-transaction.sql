-- Which transaction wrote a sound. Numbers from a sequence do not commit in their order: a process that had read a later one would
-- never have seen an earlier one that came after. Whoever reads now goes on from the oldest transaction that was still open.
alter table song_sounds add column written_by bigint not null default pg_current_xact_id()::text::bigint;
create index song_sounds_by_transaction on song_sounds (workspace_id, written_by, analysis_id);
drop index song_sounds_of_workspace;
