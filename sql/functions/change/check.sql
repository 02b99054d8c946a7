-- Checks the change log against the store, for `quadstead check` and the tests.

-- Whether the log leads from its oldest state to the present one: one row for each place where it does not.
--
--   rule    change-follows-change: the tag before a change is not that after the document's previous change, or no
--           change left it although the log goes back so far
--           changes-end-at-present: the document has another tag than its last change left, or is gone, or is still
--           there, or no change left its tag although the log goes back so far
--           change-has-its-triples: a change added a triple that the graph had, or removed one that it had not, seen
--           from the present; or a document that a change created has a triple that no change added
--           kept-state-follows: a kept state is not what the log gives, from the next kept state or the present
--   detail  where
--
-- Rows of transactions that have partly expired are left out, as in history.sql. A document that an import created has
-- triples that the log does not have. They do not count before they are removed for the first time. An import into an
-- empty dataset gives the root document a new life without ending the old one.
create or replace function check_changes() returns table (rule text, detail text)
language plpgsql stable
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_lost int8 := (select d.changes_lost from dataset as d where d.is_only and d.logs_changes);
  v_tag  int8 := (select d.changes_lost_tag from dataset as d where d.is_only);
begin
  if v_lost is null then
    return;
  end if;
  return query
    select 'change-follows-change',
           format('%s at position %s: the tag before is %s, after the previous change it is %s', show_term(c.document),
                  c.position, coalesce(c.before::text, 'none'), coalesce(c.previous::text, 'none'))
      from (select k.document, k.position, k.transaction, k.before, lag(k.after) over w as previous,
                   lag(k.transaction) over w >= v_lost as is_known,
                   k.action = 'imported' and k.before is null as is_imported
              from change as k
             where k.action is not null
            window w as (partition by k.document order by k.position)) as c
     where c.transaction >= v_lost and not c.is_imported
       and c.before is distinct from c.previous and (c.is_known or c.before > v_tag);

  return query
    select 'changes-end-at-present',
           format('%s: the tag after its last change is %s, now it is %s', show_term(c.document),
                  coalesce(c.after::text, 'none'), coalesce(d.revision::text, 'none'))
      from (select distinct on (k.document) k.document, k.after
              from change as k
             where k.action is not null and k.position > v_lost
             order by k.document, k.position desc) as c
      left join document as d on d.id = c.document
     where c.after is distinct from d.revision
     union all
    select 'changes-end-at-present', format('%s has the tag %s, which no change left', show_term(d.id), d.revision)
      from document as d
     where d.revision > v_tag
       and not exists (select from change as c where c.document = d.id and c.action is not null);

  return query select 'change-has-its-triples', t.detail from check_changed_triples(v_lost) as t;

  return query
    select 'kept-state-follows', format('%s at position %s', show_term(k.document), k.position)
      from kept_state as k
     cross join lateral state_quads(k.document, k.position, k.position + 1) as q
      left join change as c on c.position = k.position and c.document = k.document
     where k.position > v_lost
       and (k.tag, k.time, k.size, k.subjects, k.predicates, k.objects)
           is distinct from (c.after, c.time, cardinality(q.subjects), q.subjects, q.predicates, q.objects);
end
$$;

comment on function check_changes() is 'Places where the change log does not lead to the present state.';

-- The part of check_changes about triples.
--
-- A document can have several lives: it was created, deleted, and created again. The triples of a row belong to the
-- next change of the document, which tells the life. If there is none, they belong to the last: a move that merges two
-- terms of one name replaces ids in documents whose terms have the same names as before. At the end of the last life
-- the graph is as it is now, and at the end of the others it is empty.
create or replace function check_changed_triples(lost int8) returns table (detail text)
language plpgsql stable
set search_path from current
set work_mem = '64MB'
as $$
begin
  return query
    with logged as materialized (
      select c.*, c.action is not null and c.before is null and c.after is not null as is_birth,
             coalesce(min(c.position) filter (where c.action is not null)
                        over (partition by c.document order by c.position
                              rows between current row and unbounded following),
                      max(c.position) filter (where c.action is not null) over (partition by c.document)) as own
        from change as c
       where c.transaction >= lost),
    change_life as materialized (
      select l.document, l.position, l.after, l.is_birth and l.action <> 'imported' as is_empty_birth,
             count(*) filter (where l.is_birth) over (partition by l.document order by l.position) as life,
             count(*) filter (where l.is_birth) over (partition by l.document) as lives
        from logged as l where l.action is not null),
    ended_life as materialized (
      select f.document, f.life from change_life as f
       group by f.document, f.life, f.lives
      having f.life = f.lives or bool_or(f.after is null)),
    event as materialized (
      select l.document, l.position, f.life, f.life = f.lives as is_last, q.s, q.p, q.o, q.sign
        from logged as l
        join change_life as f on f.document = l.document and f.position = l.own
        join ended_life as n on n.document = f.document and n.life = f.life
       cross join lateral (
         select a.s, a.p, a.o, 1 as sign from unnest(l.added_s, l.added_p, l.added_o) as a (s, p, o)
          union all
         select r.s, r.p, r.o, -1 from unnest(l.removed_s, l.removed_p, l.removed_o) as r (s, p, o)) as q
       where l.action is not null or l.member_by is null), -- other parts end memberships, which are not in graphs
    traced as (
      select e.*,
             row_number() over (partition by e.document, e.life, e.s, e.p, e.o order by e.position) = 1 as is_first,
             coalesce(sum(e.sign) over (partition by e.document, e.life, e.s, e.p, e.o order by e.position desc
                                              rows between unbounded preceding and 1 preceding), 0) as later,
             case when e.is_last and exists (select from quad as q
                                              where (q.g, q.s, q.p, q.o) = (e.document, e.s, e.p, e.o)) then 1 else 0
             end as present
        from event as e)
    select format('%s at position %s %s %s %s %s', show_term(t.document), t.position,
                  case when t.sign > 0 then 'adds' else 'removes' end, show_term(t.s), show_term(t.p), show_term(t.o))
      from traced as t
     where t.present - t.later <> greatest(t.sign, 0)
     union all
    select format('%s removes %s %s %s, which no change had added', show_term(t.document), show_term(t.s),
                  show_term(t.p), show_term(t.o))
      from traced as t
      join change_life as f on f.document = t.document and f.life = t.life and f.is_empty_birth
     where t.is_first and t.sign < 0
     union all
    select format('%s has %s %s %s, which no change has added', show_term(q.g), show_term(q.s), show_term(q.p),
                  show_term(q.o))
      from change_life as f
      join quad as q on q.g = f.document
     where f.is_empty_birth and f.life = f.lives
       and not exists (select from event as e
                        where (e.document, e.life, e.s, e.p, e.o) = (f.document, f.life, q.s, q.p, q.o));
end
$$;

comment on function check_changed_triples(int8) is 'Triples that the change log does not explain.';
