-- Songs that were shelved before the first letters of their words were terms of their own (server/src/library/song.ts): while a workspace
-- has any, words of a letter or two are searched among all that begin with them. The sweeper makes them again.
create index songs_before_prefixes on songs (workspace_id) where shelf_version < 3;
