-- A whole library is counted from the smallest index there can be: equal keys share one entry. Its condition, which always holds, keeps
-- every other question from using it: it says nothing about them.
create index songs_counted on songs (workspace_id) where shelf_version >= 0;
create index songs_by_voice on songs (workspace_id, voice, analysis_id);
