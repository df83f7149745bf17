-- How much a million finished analyses slow down the queries of later ones. On an empty, migrated database:
--   psql "$DATABASE_URL" -f deploy/scale-out/million.sql
-- Prints the sizes of the tables and the times of the service's most frequent queries. The figures are in docs/scaling.md.
\set ON_ERROR_STOP on
\pset footer off
\timing off
\set rows 1000000
set synchronous_commit = off;
-- The service itself: without it, row-level security refuses every row.
set earshot.tenant = '*';

insert into workspaces (id, name) select 'ws_' || n, 'w' from generate_series(0, 999) n on conflict do nothing;
insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, created_at, completed_at)
  select 'job_' || lpad(n::text, 26, '0'), 'ws_' || n % 1000, 'key', 'completed', 'url', 'https://example.com/song.mp3', 'api_key',
    now() - interval '30 days' * (1 - n::float / :rows), now() - interval '30 days' * (1 - n::float / :rows)
  from generate_series(1, :rows) n;
insert into analysis_events (id, analysis_id, event_type, message)
  select 'evt_' || lpad(n::text, 26, '0') || e, 'job_' || lpad(n::text, 26, '0'), 'analysis.progress', 'x'
  from generate_series(1, :rows) n, generate_series(1, 5) e;
insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body, status, created_at)
  select 'whd_' || lpad(n::text, 26, '0'), 'ws_' || n % 1000, 'job_' || lpad(n::text, 26, '0'), 'https://example.com/hook', 'analysis.completed',
    repeat('x', 600), 'delivered', now() - interval '30 days' * (1 - n::float / :rows)
  from generate_series(1, :rows) n;
insert into credit_ledger (id, workspace_id, period, entry, amount, analysis_id, reason)
  select 'led_' || lpad(n::text, 26, '0'), 'ws_' || n % 1000, '2026-11', 'charge', -1, 'job_' || lpad(n::text, 26, '0'), 'analysis'
  from generate_series(1, :rows) n;
-- The queue: a million jobs were enqueued and deleted, and a thousand wait.
insert into jobs (kind, tenant, payload, turn, attempts_max)
  select 'analysis.run', 'ws_' || n % 1000, '{}', n, 3 from generate_series(1, :rows) n;
delete from jobs;
insert into jobs (kind, tenant, payload, turn, attempts_max)
  select 'analysis.run', 'ws_' || n % 1000, '{}', 1000000 + n, 3 from generate_series(1, 1000) n;
analyze;

\echo 'a claim right after a million jobs were deleted, before any vacuum'
explain (analyze, costs off, timing off) select id from jobs where kind = 'analysis.run' and state = 'queued'
  order by turn, id limit 1 for update skip locked;
vacuum jobs;
\echo 'a claim after the vacuum, which the settings of migration 0007 trigger within a minute'
explain (analyze, costs off, timing off) select id from jobs where kind = 'analysis.run' and state = 'queued'
  order by turn, id limit 1 for update skip locked;

\echo 'a page of analyses of one workspace'
explain (analyze, costs off, timing off) select id from analyses where workspace_id = 'ws_7' and deleted_at is null order by id desc limit 50;
\echo 'the events of one analysis'
explain (analyze, costs off, timing off) select * from analysis_events
  where analysis_id = 'job_' || lpad('500000', 26, '0') and id > '' order by id;
\echo '200 analyses past their retention'
explain (analyze, costs off, timing off) select id from analyses
  where completed_at < now() - interval '29 days' and deleted_at is null order by completed_at limit 200;
\echo 'the usage of one workspace in one month'
explain (analyze, costs off, timing off) select count(*) from credit_ledger
  where workspace_id = 'ws_7' and period = '2026-11' and entry = 'charge';

select relname as table, pg_size_pretty(pg_table_size(oid)) as rows, pg_size_pretty(pg_indexes_size(oid)) as indexes
  from pg_class where relname in ('analyses', 'analysis_events', 'webhook_deliveries', 'credit_ledger', 'jobs') order by 1;
