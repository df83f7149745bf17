-- What a person said, as it was said. The columns bpm and first_downbeat_seconds keep what it came to on the result it was
-- said of: "double" must not double again what a later version of the engine hears right.
alter table analysis_corrections add column changes jsonb, add column kinds text[] not null default '{}';
update analysis_corrections set
  changes = jsonb_strip_nulls(jsonb_build_object('tempo', bpm, 'key', key, 'first_downbeat_seconds', first_downbeat_seconds)),
  kinds = array_remove(array[case when bpm is not null then 'tempo' end,
    case when first_downbeat_seconds is not null then 'bars' end, case when key is not null then 'key' end], null);
create index analysis_corrections_by_kind on analysis_corrections using gin (kinds);

-- Who could write before may still.
update api_keys set scopes = array_append(scopes, 'analyses:write')
  where 'analyses:create' = any (scopes) and not 'analyses:write' = any (scopes);
