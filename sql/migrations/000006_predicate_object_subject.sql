-- Subjects by predicate and object without a look at the table: primary rows, which the default graph is, are found in
-- the index alone, whether all of a predicate are scanned, as for groups, or those of one object.
--
-- Full pages (95 of 100) make up for a part of its bytes: subjects and terms get ascending ids, so that most pages
-- are filled once, from left to right.

drop index quad_po;
create index quad_pos on quad (p, o, s) with (fillfactor = 95) where copy is null;
create index quad_po_copy on quad (p, o) where copy;

-- Made anew, because of two indexes that cost the same the planner takes the younger one (functions/40_graph.sql).
drop index quad_spo;
drop index quad_spog;
create unique index quad_spo on quad (s, p, o) with (fillfactor = 95) where copy is null;
create unique index quad_spog on quad (s, p, o, g) where copy;

-- Most values are of one predicate. PostgreSQL took both for independent, and many rows of a value for a few.
create statistics quad_predicate_of_object (dependencies) on p, o from quad;
