-- Reads graphs for exports.

-- Quads and derived memberships of graphs, as bytes: one row for each id, in the order of ids.
--
--   quads    subject, predicate and object of each stored quad, 24 bytes each. If the graph has more than row_limit
--            quads, it contains row_limit + 1 of them.
--   members  relation and child of each derived membership, 16 bytes each, with the same limit
create or replace function export_graphs(ids int8[], row_limit int)
returns table (id int8, quads bytea, members bytea)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    select i.id, coalesce(q.rows, ''), coalesce(m.rows, '')
      from unnest(ids) with ordinality as i (id, n)
     cross join lateral (
       select string_agg(int8send(q.s) || int8send(q.p) || int8send(q.o), '') as rows
         from (select k.s, k.p, k.o from quad as k where k.g = i.id limit row_limit + 1) as q) as q
     cross join lateral (
       select string_agg(int8send(d.member_by) || int8send(d.id), '') as rows
         from (select c.member_by, c.id from document as c
                where c.parent = i.id and c.member_by is not null limit row_limit + 1) as d) as m
     order by i.n;
end
$$;

comment on function export_graphs(int8[], int) is 'Stored quads and derived memberships of graphs, as bytes.';

-- Opens a cursor over the quads and derived memberships of a graph of any size, in the order of their terms. Only
-- blank nodes are in the order of their ids.
create or replace function export_large_graph(id int8) returns refcursor
language plpgsql
set search_path from current
as $$
declare
  v_rows refcursor := 'export_rows';
begin
  open v_rows no scroll for
    select q.s, q.p, q.o
      from (select k.s, k.p, k.o from quad as k where k.g = export_large_graph.id
             union all
            select d.parent, d.member_by, d.id from document as d
             where d.parent = export_large_graph.id and d.member_by is not null) as q
      left join term as s on s.id = q.s
      join term as p on p.id = q.p
      left join term as o on o.id = q.o
     order by s.lex nulls last, q.s, p.lex, o.lex nulls last, o.datatype nulls first, o.lang nulls first,
              q.o >= first_literal(), q.o;
  return v_rows;
end
$$;

comment on function export_large_graph(int8) is 'A cursor over a graph with its memberships, ordered by content.';
