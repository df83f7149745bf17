-- A worker that dies takes along what it was doing. That is no attempt of a job that did nothing wrong, so deaths are
-- counted apart; and those that nothing else can be blamed for, because the job had the worker to itself, apart again.
alter table jobs
  add column deaths integer not null default 0,
  add column alone boolean not null default false,
  add column deaths_alone integer not null default 0;

-- What a tenant has waiting moves back in the queue when one of its jobs took long.
create index jobs_queued_of_tenant on jobs (kind, tenant) where state = 'queued';
