-- Reads a graph in batches, for documents that are too large for one result.
--
-- Call both functions in one transaction of isolation level repeatable read: the cursor lives until it ends, and all
-- batches belong to one state. Between two batches the connection is free for other statements. Each batch is a
-- statement of its own, so a slow reader does not exceed a statement's time limit.

-- Opens a cursor over a graph: the triples about its document first, then by subject.
create or replace function open_graph(graph int8) returns refcursor
language plpgsql
set search_path from current
set enable_seqscan = off
as $$
declare
  v_rows refcursor;
begin
  open v_rows no scroll for
    select q.s, q.p, q.o from quad as q where q.g = graph order by q.s <> graph, q.s, q.p, q.o;
  return v_rows;
end
$$;

comment on function open_graph(int8) is 'A cursor over a graph''s triples, for read_graph.';

-- The next batch of an open graph, with its dictionary terms; empty after the last triple.
create or replace function read_graph(graph_rows refcursor, batch_size int, out subjects int8[], out predicates int8[],
                                      out objects int8[], out term_ids int8[],
                                      out term_texts json)
language plpgsql
set search_path from current
as $$
declare
  v_s int8;
  v_p int8;
  v_o int8;
begin
  subjects := '{}';
  predicates := '{}';
  objects := '{}';
  for n in 1 .. batch_size loop
    fetch graph_rows into v_s, v_p, v_o;
    exit when not found;
    subjects := subjects || v_s;
    predicates := predicates || v_p;
    objects := objects || v_o;
  end loop;
  select t.term_ids, t.term_texts into term_ids, term_texts from terms_of(subjects || predicates || objects) as t;
end
$$;

comment on function read_graph(refcursor, int) is 'The next batch of an open graph, with its terms.';
