-- Statistics by which the compiler orders joins: counts of triples and values, estimated from a sample of pages.

-- Statistics of each predicate, from a sample of 500 pages of primary rows.
--
--   p                predicate
--   triples          number of its triples
--   subjects         number of its distinct subjects
--   objects          number of its distinct objects
--   of_same_subject  average over its triples: number of its triples with the same subject
--   of_same_object   average over its triples: number of its triples with the same object
--   quantiles        32-quantiles of the ids of its objects, from the lowest to the highest in the sample
--   subjects_at      the subjects of the triples at the quantiles, in the order of objects and subjects
--   frequent         objects on at least 5 pages of the sample, most frequent first: [[object, number of triples], …].
--                    Of ldp:contains, subjects
--
-- A page contains mostly whole documents. A few pages therefore give the right number of values of a predicate for each
-- subject, unless other documents describe it too, as each post names its forum. The row of ldp:contains counts
-- documents and their parents.
create or replace function sparql_frequencies()
returns table (p int8, triples float8, subjects float8, objects float8, of_same_subject float8, of_same_object float8,
               quantiles int8[], subjects_at int8[], frequent json)
language plpgsql stable
set search_path from current
as $$
declare
  v_part constant float8 := least(1, 500 * 8192.0 / greatest(pg_relation_size(store_relation('quad', 'quad')), 1));
begin
  return query
  with sample as materialized (
    select q.s, q.p, q.o, q.page from quad_sample(v_part) as q where q.copy is null),
  subject as (
    select v.p, count(*) as found, sum(v.pages) as pages, count(*) filter (where v.pages = 1) as once,
           sum(v.n * v.n)::float8 as squares, sum(v.within)::float8 as within
      from (select l.p, l.s, sum(l.n)::int8 as n, count(*) as pages, sum(l.n * l.n)::int8 as within
              from (select q.p, q.s, count(*) as n from sample as q group by q.p, q.s, q.page) as l
             group by l.p, l.s) as v
     group by v.p),
  place as (
    select q.p, q.o, count(*) as n from sample as q group by q.p, q.o, q.page),
  value as (
    select l.p, l.o, sum(l.n)::int8 as n, count(*) as pages, sum(l.n * l.n)::int8 as within
      from place as l group by l.p, l.o),
  object as (
    select v.p, sum(v.n) as n, count(*) as found, sum(v.pages) as pages, count(*) filter (where v.pages = 1) as once,
           sum(v.n * v.n)::float8 as squares, sum(v.within)::float8 as within,
           json_agg(json_build_array(v.o::text, v.n / v_part) order by v.n desc)
             filter (where sparql_is_frequent(v.n, v.pages, v_part)) as frequent
      from value as v
     group by v.p),
  ordered as (
    select q.p, count(*) as total, array_agg(q.o order by q.o, q.s) as objects,
           array_agg(q.s order by q.o, q.s) as subjects
      from sample as q group by q.p),
  spread as (
    select q.p,
           array(select q.objects[greatest(1, (q.total * i + 31) / 32)] from generate_series(0, 32) as i) as quantiles,
           array(select q.subjects[greatest(1, (q.total * i + 31) / 32)] from generate_series(0, 32) as i)
             as subjects_at
      from ordered as q)
  select o.p, o.n / v_part, sparql_different(s.found, s.pages, s.once, v_part),
         sparql_different(o.found, o.pages, o.once, v_part), sparql_of_same(o.n, s.squares, s.within, v_part),
         sparql_of_same(o.n, o.squares, o.within, v_part), e.quantiles, e.subjects_at, o.frequent
    from object as o
    join subject as s on s.p = o.p
    join spread as e on e.p = o.p
  union all
  select * from sparql_containment();
end
$$;

comment on function sparql_frequencies() is 'Statistics of predicates, from a sample of pages.';

-- Estimates from a sample of pages how many different values all rows have.
--
--   found  number of different values in the sample
--   pages  sum over these values: the number of pages of the sample with the value
--   once   number of values that one page of the sample has
--   part   size of the sample as a part of all rows, up to 1
--
-- Source: Haas and Stokes, "Estimating the number of classes in a finite population", estimator Duj1. Rows with the
-- same value are often neighbours, such as the stop times of a trip. A page is drawn with all of its rows or not at
-- all, so all rows of one page count as one occurrence of their value.
create or replace function sparql_different(found int8, pages numeric, once int8, part float8) returns float8
language sql immutable
begin atomic
  select (pages * found / (pages - once + once * part))::float8;
end;

comment on function sparql_different(int8, numeric, int8, float8) is 'Different values of all rows, from a sample.';

-- Estimates from a sample of pages how many rows have the same value as a row, on average over all rows.
--
--   seen     number of rows in the sample
--   squares  sum over the values: the square of the number of rows with the value in the sample
--   within   sum over the values and pages: the square of the number of rows with the value on the page
--   part     size of the sample as a part of all rows, up to 1
--
-- The other rows of a row's page are in the sample with it. Of the rows on other pages, the sample has only a part.
create or replace function sparql_of_same(seen numeric, squares float8, within float8, part float8) returns float8
language sql immutable
begin atomic
  select greatest(1, (within + (squares - within) / part) / seen);
end;

comment on function sparql_of_same(numeric, float8, float8, float8) is 'Rows that share a row''s value, from a sample.';

-- Whether a sample says how many rows have a value. Few pages do not: they may have all of its rows.
create or replace function sparql_is_frequent(seen int8, pages int8, part float8) returns boolean
language sql immutable
begin atomic
  select pages >= 5 or (part = 1 and seen >= 5);
end;

comment on function sparql_is_frequent(int8, int8, float8) is 'Whether a sample says how many rows have a value.';

-- The row of ldp:contains in sparql_frequencies, from a sample of 100 pages of documents.
create or replace function sparql_containment()
returns table (p int8, triples float8, subjects float8, objects float8, of_same_subject float8, of_same_object float8,
               quantiles int8[], subjects_at int8[], frequent json)
language plpgsql stable
set search_path from current
as $$
declare
  v_part constant float8 := least(
    1, 100 * 8192.0 / greatest(pg_relation_size(store_relation('document', 'document')), 1));
begin
  return query
  with place as (
    select d.parent, count(*) as n from parent_sample(v_part) as d
     where d.parent is not null group by d.parent, d.page),
  value as (
    select l.parent, sum(l.n)::int8 as n, count(*) as pages, sum(l.n * l.n)::int8 as within
      from place as l group by l.parent)
  select ldp_contains(), sum(v.n)::float8 / v_part,
         sparql_different(count(*), sum(v.pages), count(*) filter (where v.pages = 1), v_part),
         sum(v.n)::float8 / v_part,
         sparql_of_same(sum(v.n), sum(v.n * v.n)::float8, sum(v.within)::float8, v_part), 1::float8, '{}'::int8[],
         '{}'::int8[],
         json_agg(json_build_array(v.parent::text, v.n / v_part) order by v.n desc)
           filter (where sparql_is_frequent(v.n, v.pages, v_part))
    from value as v
  having count(*) > 0;
end
$$;

comment on function sparql_containment() is 'Statistics of containment, from a sample of pages.';

-- Graphs with very many quads: those with at least 200 rows in a sample of 100 pages, and those with at least 2,000
-- quads according to the statistics of ANALYZE, which knows the most common values in 30,000 rows from all pages. A
-- graph is on few pages, so a sample of 100 pages often misses it. ANALYZE may never have run, or long ago.
--
--   quads  estimated number of quads
create or replace function sparql_large_graphs()
returns table (g int8, quads float8)
language plpgsql stable
set search_path from current
as $$
declare
  v_table constant regclass := store_relation('quad', 'quad');
  v_part  constant float8 := least(1, 100 * 8192.0 / greatest(pg_relation_size(v_table), 1));
begin
  return query
  select v.g, max(v.quads)
    from (select q.g, count(*) / v_part as quads
            from quad_sample(v_part) as q
           group by q.g
          having count(*) >= 200
          union all
          select c.g, c.share * t.reltuples
            from pg_class as t
            join pg_namespace as n on n.oid = t.relnamespace
            join pg_stats as s on s.schemaname = n.nspname and s.tablename = t.relname
           cross join lateral unnest(s.most_common_vals::text::int8[], s.most_common_freqs) as c (g, share)
           where t.oid = v_table and s.attname = 'g' and c.share * t.reltuples >= 2000) as v
   group by v.g;
end
$$;

comment on function sparql_large_graphs() is 'Graphs with very many quads, from samples.';

-- Up to 2 * points values at one end of the triples with a predicate, spread evenly over all of them.
--
--   at_subject  whether the values are subjects; otherwise they are objects
--   other       the constant at the other end; null: any
--   starts      the triples at quantiles (sparql_frequencies), if there is no constant: objects, then subjects
create or replace function sparql_side_values(at_subject boolean, predicate int8, other int8, starts int8[],
                                              points int)
returns int8[]
language plpgsql stable
set search_path from current
as $$
declare
  v_half constant int := cardinality(starts) / 2;
begin
  if other is not null and at_subject then
    return sparql_subjects_of(predicate, other, points);
  elsif other is not null then
    return sparql_spread(array(select q.o from quad as q
                                where q.copy is null and q.s = other and q.p = predicate order by q.o limit 10000),
                         points);
  end if;
  return array(
    select case when at_subject then v.s else v.o end
      from unnest(starts[:v_half], starts[v_half + 1:]) as start (o, s)
     cross join lateral (
       select q.s, q.o from quad as q
        where q.copy is null and q.p = predicate and (q.o, q.s) >= (start.o, start.s)
        order by q.o, q.s limit 2) as v);
end
$$;

comment on function sparql_side_values(boolean, int8, int8, int8[], int) is
  'Values at one end of the triples with a predicate, spread evenly over all of them.';

-- Up to 2 * points of some values, at equal distances.
create or replace function sparql_spread(ids int8[], points int) returns int8[]
language sql immutable parallel safe
begin atomic
  select case when cardinality(ids) <= 2 * points then ids
              else array(select ids[1 + (cardinality(ids)::int8 * i / (2 * points))::int]
                           from generate_series(0, 2 * points - 1) as i) end;
end;

comment on function sparql_spread(int8[], int) is 'Some of many values, at equal distances.';

-- Up to 2 * points subjects of the triples with a predicate and an object, spread evenly over all of them. If there are
-- more than 10,000, they are spread by their ids.
create or replace function sparql_subjects_of(predicate int8, object int8, points int) returns int8[]
language plpgsql stable
set search_path from current
as $$
declare
  v_first int8[] := array(select q.s from quad as q
                           where q.copy is null and q.p = predicate and q.o = object order by q.s limit 10001);
  v_low   int8   := v_first[1];
  v_high  int8;
begin
  if cardinality(v_first) <= 10000 then
    return sparql_spread(v_first, points);
  end if;
  v_high := (select max(q.s) from quad as q where q.copy is null and q.p = predicate and q.o = object);
  return array(
    select v.s
      from generate_series(0, points - 1) as i
     cross join lateral (
       select q.s from quad as q
        where q.copy is null and q.p = predicate and q.o = object
          and q.s >= v_low + ((v_high - v_low)::numeric * i / points)::int8
        order by q.s limit 2) as v);
end
$$;

comment on function sparql_subjects_of(int8, int8, int) is
  'Subjects of the triples with a predicate and an object, spread evenly over all of them.';

-- Samples of joins: for values at one end of triples, the mean number of other triples that have them at an end, and
-- its relative standard error. The arrays have an item for each join.
--
--   from_subject, from_predicate, from_other, from_starts  the values, as in sparql_side_values. Without a predicate
--                                                          the result is the number of triples, up to 10,000
--   to_subject, to_predicate, to_other                     the triples in which the values occur. Without a predicate
--                                                          all that have them at this end, as nodes
--   points                                                 half the number of values
--
-- A value counts with 1,000 triples at most. A mean is null if there are no values, an error if the mean is 0.
create or replace function sparql_join_samples(from_subject boolean[], from_predicate int8[], from_other int8[],
                                               from_starts text[], to_subject boolean[], to_predicate int8[],
                                               to_other int8[], points int, out means float8[], out errors float8[])
language plpgsql stable
set search_path from current
as $$
declare
  v_values int8[];
  v_counts int8[];
begin
  for i in 1 .. cardinality(to_predicate) loop
    if from_predicate[i] is null then
      v_counts := array[(select count(*) from (select from quad as q
                                                where q.copy is null and q.p = to_predicate[i] and q.o = to_other[i]
                                                limit 10000) as q)];
    else
      v_values := sparql_side_values(from_subject[i], from_predicate[i], from_other[i], from_starts[i]::int8[], points);
      if to_predicate[i] is null and to_subject[i] then
        v_counts := array(select (select count(*) from (select from quad as q
                                                         where q.copy is null and q.s = v.id
                                                         limit 1000) as q)
                            from unnest(v_values) as v (id));
      elsif to_predicate[i] is null then
        v_counts := array(select (select count(*) from (select from quad as q
                                                         where q.copy is null and q.o = v.id
                                                           and q.o between 1 and 2305843009213693951 -- as in quad_o
                                                         limit 1000) as q)
                            from unnest(v_values) as v (id));
      elsif to_subject[i] and to_other[i] is null then
        v_counts := array(select (select count(*) from (select from quad as q
                                                         where q.copy is null and q.s = v.id and q.p = to_predicate[i]
                                                         limit 1000) as q)
                            from unnest(v_values) as v (id));
      elsif to_subject[i] then
        v_counts := array(select (select count(*) from quad as q
                                   where q.copy is null and q.s = v.id and q.p = to_predicate[i] and q.o = to_other[i])
                            from unnest(v_values) as v (id));
      elsif to_other[i] is null then
        v_counts := array(select (select count(*) from (select from quad as q
                                                         where q.copy is null and q.p = to_predicate[i] and q.o = v.id
                                                         limit 1000) as q)
                            from unnest(v_values) as v (id));
      else
        v_counts := array(select (select count(*) from quad as q
                                   where q.copy is null and q.s = to_other[i] and q.p = to_predicate[i] and q.o = v.id)
                            from unnest(v_values) as v (id));
      end if;
    end if;
    select means || avg(c.n)::float8,
           errors || coalesce(stddev_samp(c.n) / sqrt(count(*)), 0)::float8 / nullif(avg(c.n)::float8, 0)
      into means, errors
      from unnest(v_counts) as c (n);
  end loop;
end
$$;

comment on function sparql_join_samples(boolean[], int8[], int8[], text[], boolean[], int8[], int8[], int) is
  'Mean numbers of triples that have the values of other triples, and their errors, from samples.';
