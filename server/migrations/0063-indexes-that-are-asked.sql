-- As large as jobs_queued, so that no claim takes it instead and sorts: of a queue that has just filled, the planner knows nothing else.
drop index jobs_queued_of_tenant;
create index jobs_queued_of_tenant on jobs (kind, tenant, turn, id) where state = 'queued';

-- Nothing asks it: corrections are counted all at once.
drop index analysis_corrections_by_kind;
