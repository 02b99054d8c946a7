-- Past states: finds the rows of a transaction in the change log (functions/change/history.sql).
create index change_transaction on change using brin (transaction) with (pages_per_range = 16, autosummarize = on);

-- The store cannot be computed as it was before this time: the log did not begin before, or has expired.
alter table dataset add column changes_lost_time timestamptz not null default clock_timestamp();

comment on column dataset.changes_lost_time is
  'The log has all that is needed to compute the store as of this time or later.';
