-- Queries of the past look up the ids that terms had by their names of then.

create index old_name_name on old_name using hash (name);
