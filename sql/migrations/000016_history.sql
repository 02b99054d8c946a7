-- Past states: finds the rows of a transaction in the change log (functions/change/history.sql).
create index change_transaction on change using brin (transaction) with (pages_per_range = 16, autosummarize = on);
