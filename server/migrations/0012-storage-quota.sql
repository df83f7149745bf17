-- Bytes that are on their way: counted against the quota from the moment they may begin to arrive, so that a hundred uploads
-- at once cannot all find the same room (storage-objects/quota.ts). Zero for an address that nobody has used yet.
alter table storage_objects add column reserved_bytes bigint not null default 0;
-- The sum of what a workspace holds is asked before every upload; rows of deleted objects stay, and are many.
create index storage_objects_held on storage_objects (workspace_id) include (byte_size, reserved_bytes)
  where status in ('pending', 'stored');
