-- What mixes next is asked by a few keys and a span of tempo: read from the index alone, with all that a mix is judged by.
create index songs_to_mix on songs (workspace_id, key_number, bpm) include (analysis_id, camelot, energy, duplicate_of);
