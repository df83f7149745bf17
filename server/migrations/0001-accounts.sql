-- People, the workspaces they belong to, and how they prove who they are.
-- Secrets are stored only as hashes; see docs/adr for the choice of each.

create table users (
  id text primary key,
  email text not null,
  name text,
  email_verified_at timestamptz,
  notification_preferences jsonb not null default '{"analysis_complete": true, "billing_updates": true, "product_updates": false}',
  created_at timestamptz not null default now()
);
-- Addresses are compared without regard to case; stored normalised by the rules, unique here as the last word.
create unique index users_email_unique on users (lower(email));

create table workspaces (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table memberships (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  status text not null default 'active' check (status in ('active', 'removed')),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (workspace_id, user_id)
);
-- Exactly one owner: the index forbids two, the rules never leave none.
create unique index memberships_one_owner on memberships (workspace_id) where role = 'owner' and status = 'active';
create index memberships_of_user on memberships (user_id) where status = 'active';

create table invitations (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('viewer', 'member', 'admin')),
  invited_by text references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create unique index invitations_one_pending on invitations (workspace_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitations_by_email on invitations (lower(email)) where accepted_at is null and revoked_at is null;

create table sign_in_challenges (
  id text primary key,
  email text not null,
  code_hash text not null,
  code_salt text not null,
  tries integer not null default 0,
  ip text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  superseded_at timestamptz
);
create index sign_in_challenges_by_email on sign_in_challenges (lower(email), created_at desc);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  ip text,
  user_agent text
);
create index sessions_of_user on sessions (user_id);

create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  created_by text not null references users on delete cascade,
  name text not null,
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_of_workspace on api_keys (workspace_id, id desc);

create table email_verifications (
  token_hash text primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table audit_events (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system', 'payment_provider')),
  actor_id text,
  action text not null,
  target_type text not null,
  target_id text not null,
  metadata jsonb not null default '{}',
  ip text,
  request_id text,
  created_at timestamptz not null default now()
);
create index audit_events_of_workspace on audit_events (workspace_id, id desc);

-- Fixed-window counters shared by all API processes (per address, per IP, per key).
create table rate_limit_counters (
  bucket text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (bucket, window_start)
);
create index rate_limit_counters_old on rate_limit_counters (window_start);
