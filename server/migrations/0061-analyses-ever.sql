-- The deleted ones too, which the other indexes by workspace leave out: for the export, and for the end of a workspace.
create index analyses_ever_of_workspace on analyses (workspace_id, id);
