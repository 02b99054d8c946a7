-- What the compiler chooses the order of joins by: counts of predicates and of common values, from a sample of pages.
--
-- A page holds whole documents, more or less, so that how many values a subject has of a predicate is told rightly by
-- few pages. How many values a predicate has in all is told by those that were seen once (Haas and Stokes, "Estimating
-- the number of classes in a finite population", estimator Duj1).
--
--   triples         rows in all, and by predicate
--   subjects        different ones of a predicate
--   objects         different ones of a predicate
--   of_same_subject how many rows share a row's subject, on average over rows
--   of_same_object  how many rows share a row's object, on average over rows
--   quantiles       of its objects' ids, from the least to the greatest seen
--   frequent        its objects that were seen often: [object, rows], …
--
-- The row of ldp:contains is of documents in their parents.
create or replace function sparql_frequencies()
returns table (p int8, triples float8, subjects float8, objects float8, of_same_subject float8, of_same_object float8,
               quantiles int8[], frequent json)
language plpgsql stable
set search_path from current
as $$
declare
  v_part constant float8 := least(1, 500 * 8192.0 / greatest(pg_relation_size('quad'), 1));
begin
  return query
  with sample as materialized (
    select q.s, q.p, q.o from quad as q tablesample system (100 * v_part) repeatable (0) where q.copy is null),
  subject as (
    select v.p, count(*) as found, sum(v.n * v.n)::float8 / sum(v.n) as of_same
      from (select q.p, q.s, count(*) as n from sample as q group by q.p, q.s) as v
     group by v.p),
  value as (
    select q.p, q.o, count(*) as n from sample as q group by q.p, q.o),
  object as (
    select v.p, sum(v.n) as n, count(*) as found, count(*) filter (where v.n = 1) as once,
           sum(v.n * v.n)::float8 as squares,
           json_agg(json_build_array(v.o::text, v.n / v_part) order by v.n desc) filter (where v.n >= 5) as frequent
      from value as v
     group by v.p),
  spread as (
    select q.p, percentile_disc(array(select i / 32.0 from generate_series(0, 32) as i)) within group (order by q.o)
             as quantiles
      from sample as q
     group by q.p)
  select o.p, o.n / v_part, s.found / v_part, o.n * o.found / (o.n - o.once + o.once * v_part)::float8,
         s.of_same, sparql_of_same(o.n, o.squares, v_part), e.quantiles, o.frequent
    from object as o
    join subject as s on s.p = o.p
    join spread as e on e.p = o.p
  union all
  select * from sparql_containment();
end
$$;

comment on function sparql_frequencies() is 'Counts of predicates and common values, from a sample of pages.';

-- How many rows share a row's value, on average over rows, where a part of the rows was seen: `seen` in all, and the
-- sum of the squares of how many of each value.
create or replace function sparql_of_same(seen numeric, squares float8, part float8) returns float8
language sql immutable
begin atomic
  select greatest(1, 1 + (squares - seen) / seen / part);
end;

comment on function sparql_of_same(numeric, float8, float8) is 'Rows that share a row''s value, from a sample.';

-- The same of documents in their parents, from a sample of pages of documents.
create or replace function sparql_containment()
returns table (p int8, triples float8, subjects float8, objects float8, of_same_subject float8, of_same_object float8,
               quantiles int8[], frequent json)
language plpgsql stable
set search_path from current
as $$
declare
  v_part constant float8 := least(1, 100 * 8192.0 / greatest(pg_relation_size('document'), 1));
begin
  return query
  select ldp_contains(), sum(v.n)::float8 / v_part,
         sum(v.n) * count(*) / (sum(v.n) - count(*) filter (where v.n = 1) * (1 - v_part))::float8,
         sum(v.n)::float8 / v_part, sparql_of_same(sum(v.n), sum(v.n * v.n)::float8, v_part), 1::float8, '{}'::int8[],
         null::json
    from (select count(*) as n from document as d tablesample system (100 * v_part) repeatable (0)
           where d.parent is not null group by d.parent) as v
  having count(*) > 0;
end
$$;

comment on function sparql_containment() is 'Counts of documents in their parents, from a sample of pages.';

-- Graphs with very many quads: those of which a small sample of pages has many.
--
--   quads  of the graph, about
create or replace function sparql_large_graphs()
returns table (g int8, quads float8)
language plpgsql stable
set search_path from current
as $$
declare
  v_part constant float8 := least(1, 100 * 8192.0 / greatest(pg_relation_size('quad'), 1));
begin
  return query
  select q.g, count(*) / v_part
    from quad as q tablesample system (100 * v_part) repeatable (0)
   group by q.g
  having count(*) >= 200;
end
$$;

comment on function sparql_large_graphs() is 'Graphs with very many quads, from a sample of pages.';
