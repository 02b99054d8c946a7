-- Statistics of predicates have the subjects at their quantiles too, and a function cannot change its result.
drop function if exists sparql_frequencies(), sparql_containment();
