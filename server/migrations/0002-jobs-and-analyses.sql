-- The queue, the analyses, and all that is written in the same transaction as a queue entry.

-- A job that has ended is deleted: its outcome lives in the domain's own row, and a million finished jobs cost nothing.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- Who waits for it: fairness is between tenants, not between jobs.
  tenant text not null,
  payload jsonb not null,
  state text not null default 'queued' check (state in ('waiting', 'queued', 'running')),
  -- Start-time fair queueing (Goyal, Vin, Cheng 1996): the job with the lowest turn goes first.
  turn bigint not null,
  run_at timestamptz not null default now(),
  -- Starts that count against attempts_max: a job handed back by a stopping worker gets its start back.
  attempt integer not null default 0,
  attempts_max integer not null,
  -- Every time a worker took it up, never reset: the fencing token of all writes of that worker.
  claims integer not null default 0,
  lease_until timestamptz,
  leased_by text,
  last_error text,
  created_at timestamptz not null default now()
);
create index jobs_queued on jobs (kind, turn, id) where state = 'queued';
create index jobs_waiting on jobs (run_at) where state = 'waiting';
create index jobs_running on jobs (lease_until) where state = 'running';

-- The last turn handed to each tenant, per kind of job.
create table job_turns (
  kind text not null,
  tenant text not null,
  turn bigint not null,
  primary key (kind, tenant)
);
create index job_turns_last on job_turns (kind, turn);

-- When each recurring job was last put into the queue, by whichever process came first.
create table job_schedules (
  kind text primary key,
  last_tick_at timestamptz not null
);

create table storage_objects (
  id text primary key,
  workspace_id text references workspaces on delete cascade,
  bucket text not null,
  key text not null unique,
  purpose text not null,
  content_type text not null,
  status text not null check (status in ('pending', 'stored', 'deleted')),
  byte_size_max bigint not null,
  byte_size bigint,
  sha256 text,
  file_name text,
  created_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  stored_at timestamptz,
  deleted_at timestamptz
);
create index storage_objects_of_workspace on storage_objects (workspace_id, id desc);
create index storage_objects_pending on storage_objects (expires_at) where status = 'pending';
create index storage_objects_stored on storage_objects (stored_at) where status = 'stored';

create table analyses (
  id text primary key,
  -- Null for the anonymous demo.
  workspace_id text references workspaces on delete cascade,
  surface text not null check (surface in ('workspace', 'key', 'demo')),
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed', 'canceled')),
  source_kind text not null check (source_kind in ('url', 'object')),
  source_url text,
  storage_object_id text references storage_objects,
  file_name text,
  webhook_url text,
  features text[],
  hints jsonb not null default '{}',
  metadata jsonb not null default '{}',
  enrich text[] not null default '{}',
  retain_source boolean not null default false,
  stage text,
  progress real not null default 0,
  attempt integer not null default 0,
  error_code text,
  error_message text,
  error_retryable boolean,
  created_by_kind text not null,
  created_by text,
  demo_token_hash text,
  demo_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  deleted_at timestamptz,
  check ((surface = 'demo') = (workspace_id is null)),
  check ((source_kind = 'url') = (source_url is not null) or source_kind = 'object')
);
create index analyses_of_workspace on analyses (workspace_id, id desc) where deleted_at is null;
create index analyses_of_workspace_by_status on analyses (workspace_id, status, id desc) where deleted_at is null;
create index analyses_of_object on analyses (storage_object_id) where storage_object_id is not null;
create index analyses_ended on analyses (completed_at) where deleted_at is null and completed_at is not null;
create index analyses_demo_expiry on analyses (demo_expires_at) where surface = 'demo';

create table analysis_results (
  analysis_id text primary key references analyses on delete cascade,
  schema_version text not null,
  engine_version text not null,
  -- Not jsonb: nobody asks the database about their insides, and a reader gets the names in the order they were written.
  summary json not null,
  groups json not null,
  -- Spectrogram and chromagram for pictures and reports (analyses/report/visuals-bytes.ts).
  visuals bytea not null,
  created_at timestamptz not null default now()
);

create table analysis_events (
  id text primary key,
  analysis_id text not null references analyses on delete cascade,
  event_type text not null,
  message text not null,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index analysis_events_of_analysis on analysis_events (analysis_id, id);

create table idempotency_keys (
  workspace_id text not null references workspaces on delete cascade,
  scope text not null,
  key text not null,
  request_hash text not null,
  status_code integer not null,
  response jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, scope, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
