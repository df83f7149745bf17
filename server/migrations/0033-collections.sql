-- Songs in an order that somebody chose: crates, set lists, albums.
create table collections (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text,
  -- Raised by every change; the ETag of the collection.
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index collections_of_workspace on collections (workspace_id, id desc);

create table collection_items (
  collection_id text not null references collections on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  analysis_id text not null references analyses on delete cascade,
  position integer not null,
  added_at timestamptz not null,
  primary key (collection_id, analysis_id)
);
create index collection_items_in_order on collection_items (collection_id, position);
create index collection_items_of_analysis on collection_items (analysis_id);
create index collection_items_of_workspace on collection_items (workspace_id, collection_id);
