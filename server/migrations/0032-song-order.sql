-- Newest first, and what of a song is looked for by its neighbours.
create index songs_of_workspace on songs (workspace_id, analysis_id);
