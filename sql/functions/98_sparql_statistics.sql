-- What the compiler chooses the order of joins by: counts of predicates and of common values, from a sample of pages.
--
-- A page holds whole documents, more or less, so that how many values a subject has of a predicate is told rightly by
-- few pages. How many values a predicate has in all is told by those that were seen once (Haas and Stokes, "Estimating
-- the number of classes in a finite population", estimator Duj1).
--
--   triples     rows in all, and by predicate
--   subjects    different ones of a predicate
--   objects     different ones of a predicate
--   quantiles   of its objects' ids, from the least to the greatest seen
--   frequent    its objects that were seen often: [object, rows], …
create or replace function sparql_statistics()
returns table (p int8, triples float8, subjects float8, objects float8, quantiles int8[], frequent json)
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
    select q.p, count(distinct q.s) as found from sample as q group by q.p),
  value as (
    select q.p, q.o, count(*) as n from sample as q group by q.p, q.o),
  object as (
    select v.p, sum(v.n) as n, count(*) as found, count(*) filter (where v.n = 1) as once,
           json_agg(json_build_array(v.o::text, v.n / v_part) order by v.n desc) filter (where v.n >= 5) as frequent
      from value as v
     group by v.p),
  spread as (
    select q.p, percentile_disc(array(select i / 32.0 from generate_series(0, 32) as i)) within group (order by q.o)
             as quantiles
      from sample as q
     group by q.p)
  select o.p, o.n / v_part, s.found / v_part, o.n * o.found / (o.n - o.once + o.once * v_part)::float8,
         e.quantiles, o.frequent
    from object as o
    join subject as s on s.p = o.p
    join spread as e on e.p = o.p;
end
$$;

comment on function sparql_statistics() is 'Counts of predicates and common values, from a sample of pages.';

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
