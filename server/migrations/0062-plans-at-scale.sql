-- What sweeps and requests look up, so that they read their own rows and not everybody's (server/src/plans.db.test.ts).

-- Demos that are deleted stay as tombstones; the sweep looks for those that are not.
drop index analyses_demo_expiry;
create index analyses_demo_expiry on analyses (demo_expires_at) where surface = 'demo' and deleted_at is null;

-- Rows that expire are looked for every minute. Not coalesce(), which row security keeps from an index.
create index sessions_expiry on sessions ((case when revoked_at is null then expires_at else revoked_at end));
create index sign_in_challenges_expiry on sign_in_challenges (created_at);

create index payment_events_of_customer on payment_events (customer_id);
create index invitations_of_workspace on invitations (workspace_id, id);
create index sessions_of_workspace on sessions (workspace_id);

-- Rows that end with an endpoint or a person: for each of them the whole table was read.
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, status) where endpoint_id is not null;
drop index webhook_deliveries_under_way;
create index email_verifications_of_user on email_verifications (user_id);
create index invitations_of_inviter on invitations (invited_by);
drop index memberships_of_user;
create index memberships_of_user on memberships (user_id);

-- Turns that the queued jobs of a tenant have yet to be moved back by (jobs/store.ts: chargeTurns).
alter table job_turns add column owed bigint not null default 0;

-- How far the sweep has come among the stored objects; no row: it begins anew.
create table storage_object_sweep (
  name text primary key,
  stored_at timestamptz not null
);
