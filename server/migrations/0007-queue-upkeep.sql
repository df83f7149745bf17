-- A row of the queue lives for seconds and then is dead, so these tables hold little and turn over all the time. The
-- default waits until a fifth of a table is dead; a claim would step over all of that at the front of its index.
alter table jobs set
  (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
alter table job_turns set
  (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
alter table rate_limit_counters set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The big tables are mostly appended to. A fifth of ten million rows is two million: too late for the planner's numbers.
alter table analyses set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table analysis_events set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table webhook_deliveries set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
