-- What the provider said of each subscription. A customer may have had several: an event of one says nothing about
-- another, and the account follows those that live.

create table billing_subscriptions (
  workspace_id text not null references workspaces on delete cascade,
  id text not null,
  -- Null until an event has named a price of ours.
  plan text check (plan in ('free', 'pro', 'scale')),
  -- Versions (provider time and rank) of the newest word on the plan, on its end and on a payment made. Only a newer one
  -- replaces them, so that the order of arrival makes no difference; event_id decides between two of one version.
  version bigint not null default 0,
  event_id text not null default '',
  ended_version bigint not null default 0,
  paid_version bigint not null default 0,
  -- Failures since then: the week of grace counts from the oldest.
  failed_versions bigint[] not null default '{}',
  primary key (workspace_id, id)
);

insert into billing_subscriptions (workspace_id, id, plan, version, paid_version, failed_versions)
select workspace_id, subscription_id, plan, subscription_version,
  case when status = 'past_due' then 0 else payment_version end,
  case when status = 'past_due' then array[payment_version] else '{}' end
from billing_accounts where subscription_id is not null;

-- Those that ended before, so that a late event cannot bring them back.
insert into billing_subscriptions (workspace_id, id, ended_version)
select b.workspace_id, e.payload #>> '{data,object,id}', max((e.payload ->> 'created')::bigint * 10 + 6)
from payment_events e join billing_accounts b on b.customer_id = e.customer_id
where e.event_type = 'customer.subscription.deleted' and e.payload #>> '{data,object,id}' is not null
group by 1, 2
on conflict (workspace_id, id) do update set ended_version = excluded.ended_version;

alter table billing_accounts drop column subscription_version, drop column payment_version;

-- A change of plan that its owner has not confirmed yet, with what it was said to cost.
create table plan_changes (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  subscription_id text not null,
  plan text not null check (plan in ('pro', 'scale')),
  amount_due bigint not null,
  currency text not null,
  -- The moment the provider divided the month at; the same is named when the change is made.
  prorated_at timestamptz not null,
  success_url text not null,
  cancel_url text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  completed_at timestamptz
);
