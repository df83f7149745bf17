-- Plans, the append-only credit ledger, provider events, and what is sent by mail.

create table billing_accounts (
  workspace_id text primary key references workspaces on delete cascade,
  provider text not null check (provider in ('sandbox', 'stripe')),
  customer_id text unique,
  subscription_id text,
  plan text not null default 'free' check (plan in ('free', 'pro', 'scale')),
  status text not null default 'active' check (status in ('active', 'past_due', 'canceled')),
  -- A failed payment keeps the plan's limits until then.
  grace_until timestamptz,
  -- Versions of the newest provider events applied to the subscription and to its payment (provider time and rank):
  -- an older event arriving late changes nothing, whatever the order of arrival.
  subscription_version bigint not null default 0,
  payment_version bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One row per workspace and month, locked by every charge; the last check is what keeps the balance >= 0 whoever errs.
create table credit_balances (
  workspace_id text not null references workspaces on delete cascade,
  period text not null,
  -- What the plan gave for the month; never taken back within it.
  granted integer not null,
  -- What was used beyond it on a plan that bills it, granted one by one as it is used.
  overage integer not null default 0,
  used integer not null default 0,
  primary key (workspace_id, period),
  check (granted >= 0),
  check (overage >= 0),
  check (used between 0 and granted + overage)
);

-- Append-only. `amount` is +n for grants and refunds, -n for charges; its sum is granted + overage - used, always.
create table credit_ledger (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  period text not null,
  entry text not null check (entry in ('grant', 'charge', 'refund')),
  amount integer not null,
  analysis_id text,
  reason text not null,
  created_at timestamptz not null default now()
);
-- One charge and at most one refund for an analysis, whatever runs twice.
create unique index credit_ledger_once on credit_ledger (analysis_id, entry) where analysis_id is not null;
create index credit_ledger_of_workspace on credit_ledger (workspace_id, period, id desc);

create table payment_events (
  id text primary key,
  event_type text not null,
  customer_id text,
  payload jsonb not null,
  outcome text not null,
  received_at timestamptz not null default now()
);

create table sandbox_sessions (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  kind text not null check (kind in ('checkout', 'portal')),
  plan text,
  success_url text,
  cancel_url text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  completed_at timestamptz
);

create table meter_reports (
  analysis_id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  period text not null,
  reported_at timestamptz
);

create table enrichment_uses (
  analysis_id text not null references analyses on delete cascade,
  provider text not null,
  workspace_id text not null references workspaces on delete cascade,
  period text not null,
  outcome text not null,
  created_at timestamptz not null default now(),
  primary key (analysis_id, provider)
);
create index enrichment_uses_of_workspace on enrichment_uses (workspace_id, period);

-- Mail that waits for its job; the row goes when the mail has gone. The text is sealed: it may hold a sign-in code.
create table mail_outbox (
  id text primary key,
  recipient text not null,
  subject text not null,
  body_sealed text not null,
  created_at timestamptz not null default now()
);
