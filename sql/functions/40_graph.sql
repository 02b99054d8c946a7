-- Quads in and out of graphs. Callers hold the row lock of the graph's document.
--
-- A triple has one primary row (copy is null); every further graph that holds it has a copy. A derived membership
-- (document.member_by) counts as the primary of its triple.

-- Put triples into a graph; those that are there already stay.
create or replace function put_quads(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_put int;
begin
  insert into quad (g, s, p, o, copy)
  select distinct graph, n.s, n.p, n.o,
         case when exists (select from document as d where d.id = n.o and d.parent = n.s and d.member_by = n.p) then true end
    from unnest(subjects, predicates, objects) as n (s, p, o)
   order by 2, 3, 4
      on conflict do nothing;
  get diagnostics v_put = row_count;
  if v_put = cardinality(subjects) then
    return;
  end if;

  -- The rest are repeats, or triples whose primary another graph holds. The primary is locked before its copy is made,
  -- and when it went meanwhile the next turn makes ours the primary.
  while exists (select from unnest(subjects, predicates, objects) as n (s, p, o)
                 where not exists (select from quad as q where q.g = graph and (q.s, q.p, q.o) = (n.s, n.p, n.o))) loop
    perform from unnest(subjects, predicates, objects) as n (s, p, o)
            join quad as q on (q.s, q.p, q.o) = (n.s, n.p, n.o) and q.copy is null
             for key share of q;
    insert into quad (g, s, p, o, copy)
    select distinct graph, n.s, n.p, n.o,
           case when exists (select from document as d where d.id = n.o and d.parent = n.s and d.member_by = n.p)
                  or exists (select from quad as q where (q.s, q.p, q.o) = (n.s, n.p, n.o) and q.copy is null) then true end
      from unnest(subjects, predicates, objects) as n (s, p, o)
     where not exists (select from quad as q where q.g = graph and (q.s, q.p, q.o) = (n.s, n.p, n.o))
     order by 2, 3, 4
        on conflict do nothing;
  end loop;
end
$$;

comment on function put_quads(int8, int8[], int8[], int8[]) is 'Put triples into a graph.';

-- Take triples out of a graph; those that are not there are no error.
create or replace function drop_quads(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_s int8[];
  v_p int8[];
  v_o int8[];
begin
  with gone as (
    delete from quad as q
     using (select distinct * from unnest(subjects, predicates, objects) as n (s, p, o)) as n
     where q.g = graph and q.s = n.s and q.p = n.p and q.o = n.o
    returning q.s, q.p, q.o, q.copy)
  select array_agg(s), array_agg(p), array_agg(o) into v_s, v_p, v_o from gone where copy is null;

  perform promote_copies(v_s, v_p, v_o);
end
$$;

comment on function drop_quads(int8, int8[], int8[], int8[]) is 'Take triples out of a graph.';

-- Take everything out of graphs that go.
create or replace function drop_graphs(graphs int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_s int8[];
  v_p int8[];
  v_o int8[];
begin
  with gone as (delete from quad as q where q.g = any (graphs) returning q.s, q.p, q.o, q.copy)
  select array_agg(s), array_agg(p), array_agg(o) into v_s, v_p, v_o from gone where copy is null;

  perform promote_copies(v_s, v_p, v_o);
end
$$;

comment on function drop_graphs(int8[]) is 'Take all triples out of graphs.';

-- Make one copy of each triple, where there are any, its primary. A statement of its own after the delete, so that it
-- sees the copies that writers made while the delete waited for them.
create or replace function promote_copies(subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  update quad as q
     set copy = null
    from (select c.s, c.p, c.o, min(c.g) as g
            from unnest(subjects, predicates, objects) as n (s, p, o)
            join quad as c on (c.s, c.p, c.o) = (n.s, n.p, n.o) and c.copy
           group by c.s, c.p, c.o) as heir
   where (q.g, q.s, q.p, q.o) = (heir.g, heir.s, heir.p, heir.o) and q.copy;
end
$$;

comment on function promote_copies(int8[], int8[], int8[]) is 'Give triples that lost their primary row a new one.';

-- A changed document gets a new entity tag and a later c:modified, strictly later by at least a millisecond.
create or replace function touch_documents(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  with touched as (
    update document as d
       set revision = nextval('revision_seq'),
           modified = greatest(date_trunc('milliseconds', clock_timestamp()), d.modified + interval '1 millisecond')
     where d.id = any (ids)
    returning d.id, d.modified)
  update quad as q
     set o = inline_instant(t.modified)
    from touched as t
   where q.g = t.id and q.s = t.id and q.p = platform_modified() and q.copy is null;
end
$$;

comment on function touch_documents(int8[]) is 'New entity tag and c:modified for changed documents.';
