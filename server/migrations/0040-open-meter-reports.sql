-- The hourly look for uses whose report was given up.
create index meter_reports_open on meter_reports (analysis_id) where reported_at is null;
