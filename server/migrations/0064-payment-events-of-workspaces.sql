-- Whose workspace an event tells of; null when nobody knows its customer. By the customer alone it was lost with a customer who was deleted
-- or replaced, and what was told of them outlived the workspace. From here on they also stand behind the wall.
alter table payment_events add column workspace_id text;
update payment_events e set workspace_id = b.workspace_id from billing_accounts b where b.customer_id = e.customer_id;
-- Not valid: every value has just come from rows that point to a workspace, while all wait.
alter table payment_events add constraint payment_events_workspace_id_fkey
  foreign key (workspace_id) references workspaces on delete cascade not valid;
create index payment_events_of_workspace on payment_events (workspace_id) where workspace_id is not null;
-- As billing/expiry.ts asks for them.
create index payment_events_expiry on payment_events (received_at)
  where workspace_id is null or event_type not in ('invoice.paid', 'invoice.payment_failed');
