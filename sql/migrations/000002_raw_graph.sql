-- Graphs that are no documents: loaded as they are (quadstead import --raw), queried, and served by nobody.

create table raw_graph (
  id int8 primary key constraint "raw-graph-is-an-iri" check (id between 1 and 1152921504606846975)
);

comment on table raw_graph is 'Graphs that queries see and no document serves; their quads are in quad.';
