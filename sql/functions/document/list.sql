-- RDF lists: removes entries that refer to deleted documents.
--
-- A list cell has exactly one rdf:first and one rdf:rest. Other nodes with these properties are not treated as cells.

-- Removes the list entries that refer to one of the documents. Removes their cells, and makes references to such a cell
-- refer to the next cell that stays.
--
--   referring  graphs to search; their documents are locked
create or replace function drop_list_entries(ids int8[], referring int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_cell record := list_entries(ids, referring);
begin
  if v_cell.cells is null then
    return;
  end if;

  perform plan_for(cardinality(v_cell.cells));
  v_cell.nexts := staying_cells(v_cell.graphs, v_cell.cells, v_cell.nexts);
  perform put_quads(c.g, array_agg(at.s), array_agg(at.p), array_agg(c.next))
     from unnest(v_cell.graphs, v_cell.cells, v_cell.nexts) as c (g, id, next)
    cross join lateral quads_to(c.g, c.id) as at
    where c.next is not null
      and not exists (select from unnest(v_cell.graphs, v_cell.cells) as b (g, id)
                       where b.g = c.g and b.id = at.s
                         and (is_blank_node(b.id) or at.p in (rdf_first(), rdf_rest())))
    group by c.g;
  perform drop_quads(gone.g, array_agg(gone.s), array_agg(gone.p), array_agg(gone.o))
     from (select c.g, q.*
             from unnest(v_cell.graphs, v_cell.cells) as c (g, id)
            cross join lateral quads_to(c.g, c.id) as q
            union
           select c.g, q.*
             from unnest(v_cell.graphs, v_cell.cells) as c (g, id)
            cross join lateral quads_about(c.g, c.id) as q
            where is_blank_node(c.id) or q.p in (rdf_first(), rdf_rest())) as gone
    group by gone.g;
end
$$;

comment on function drop_list_entries(int8[], int8[]) is
  'Removes list entries that refer to certain documents from some graphs.';

-- The list cells of some graphs whose rdf:first is one of the documents, with their rdf:rest; nulls for none.
create or replace function list_entries(ids int8[], referring int8[], out graphs int8[], out cells int8[],
                                        out nexts int8[])
language plpgsql
set search_path from current
as $$
begin
  select array_agg(c.g), array_agg(c.s), array_agg(c.next)
    into graphs, cells, nexts
    from (select q.g, q.s, min(about.o) filter (where about.p = rdf_rest()) as next
            from unnest(ids) as going (id)
           cross join lateral (select q.g, q.s from quad as q
                                where q.p = rdf_first() and q.o = going.id and q.s <> rdf_nil()
                                  and q.o between 1 and 2305843009213693951
                               offset 0) as q
            join unnest(referring) as r (id) on r.id = q.g
           cross join lateral quads_about(q.g, q.s) as about
           where about.p in (rdf_first(), rdf_rest())
           group by q.g, q.s
          having count(*) = 2 and count(*) filter (where about.p = rdf_rest()) = 1) as c;
end
$$;

comment on function list_entries(int8[], int8[]) is
  'List cells of some graphs that refer to certain documents, with the cells after them.';

-- For each cell that is removed, the next cell that stays; null in a cycle of which no cell stays.
--
-- Each iteration doubles the length of the jumps, so a run of a hundred thousand cells takes seventeen iterations.
create or replace function staying_cells(graphs int8[], cells int8[], nexts int8[]) returns int8[]
language plpgsql
set search_path from current
set enable_nestloop = off
as $$
declare
  v_further int8[] := nexts;
begin
  for v_turn in 0 .. ceil(log(2, cardinality(cells) + 1)) loop
    nexts := v_further;
    select array_agg(coalesce(d.next, c.next) order by c.n)
      into v_further
      from unnest(graphs, cells, nexts) with ordinality as c (g, id, next, n)
      left join unnest(graphs, cells, nexts) as d (g, id, next) on (d.g, d.id) = (c.g, c.next);
    exit when v_further = nexts;
  end loop;

  select array_agg(case when d.id is null then c.next end order by c.n)
    into nexts
    from unnest(graphs, v_further) with ordinality as c (g, next, n)
    left join unnest(graphs, cells) as d (g, id) on (d.g, d.id) = (c.g, c.next);
  return nexts;
end
$$;

comment on function staying_cells(int8[], int8[], int8[]) is
  'The next staying cell after each of some list cells that are removed.';

-- The triples of a graph with this subject. Uses the indexes on subjects, so the size of the graph does not matter.
create or replace function quads_about(graph int8, subject int8) returns table (s int8, p int8, o int8)
language sql stable
begin atomic
  select q.s, q.p, q.o from quad as q where q.s = subject and q.copy is null and q.g is not distinct from graph
   union all
  select q.s, q.p, q.o from quad as q where q.s = subject and q.copy and q.g is not distinct from graph
  offset 0;
end;

comment on function quads_about(int8, int8) is 'Triples of a graph by their subject.';

-- The triples of a graph with this object, which is an IRI or a blank node.
create or replace function quads_to(graph int8, object int8) returns table (s int8, p int8, o int8)
language sql stable
begin atomic
  select q.s, q.p, q.o
    from quad as q
   where q.o = object and q.o between 1 and 2305843009213693951 and q.g is not distinct from graph
  offset 0;
end;

comment on function quads_to(int8, int8) is 'Triples of a graph by their object, an IRI or a blank node.';
