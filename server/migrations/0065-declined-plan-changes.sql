-- How many payments of the change were declined. The provider repeats its answer to an attempt, so that each needs an id of its own.
alter table plan_changes add column declined_count int not null default 0;
