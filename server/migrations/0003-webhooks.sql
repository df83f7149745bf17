-- Outbound webhooks: endpoints, one delivery per event and target, every attempt at it.

create table webhook_endpoints (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  url text not null,
  description text,
  event_types text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'disabled', 'deleted')),
  -- Encrypted with the key derived from SECRET_KEY; newest first, older ones valid until their expiry.
  signing_secret text not null,
  previous_signing_secret text,
  previous_secret_expires_at timestamptz,
  first_failure_at timestamptz,
  disabled_reason text,
  disabled_at timestamptz,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, id desc) where status <> 'deleted';

-- Signs the deliveries to a job's own webhook_url, which has no endpoint to hold a secret. Encrypted as above.
create table workspace_webhook_secrets (
  workspace_id text primary key references workspaces on delete cascade,
  signing_secret text not null,
  previous_signing_secret text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table webhook_deliveries (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  analysis_id text references analyses on delete cascade,
  -- Null for a job's own webhook_url.
  endpoint_id text references webhook_endpoints on delete cascade,
  url text not null,
  event_type text not null,
  -- The exact bytes of every attempt: a retry never rebuilds what was promised.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivering', 'delivered', 'failed')),
  attempt_count integer not null default 0,
  -- While pending: when the next attempt is due. While delivering: until when the attempt under way may be believed.
  next_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  signature text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index webhook_deliveries_of_workspace on webhook_deliveries (workspace_id, id desc);
create index webhook_deliveries_of_analysis on webhook_deliveries (analysis_id);
create index webhook_deliveries_unfinished on webhook_deliveries (workspace_id, next_attempt_at) where status in ('pending', 'delivering');
create index webhook_deliveries_finished on webhook_deliveries (created_at) where status in ('delivered', 'failed');
create index webhook_deliveries_under_way on webhook_deliveries (endpoint_id) where status = 'delivering';

create table webhook_attempts (
  id text primary key,
  delivery_id text not null references webhook_deliveries on delete cascade,
  attempt integer not null,
  url text not null,
  status text not null check (status in ('delivered', 'failed')),
  status_code integer,
  error text,
  response_excerpt text,
  duration_ms integer not null,
  attempted_at timestamptz not null default now()
);
create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, attempt);
