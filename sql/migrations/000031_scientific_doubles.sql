-- Doubles in scientific notation, such as 5.21E1, fit into ids (functions/term/inline.sql).
--
-- Older programs would put them into the dictionary.
--! breaking

create table moved_double as
select t.id, -6917529027641081856 + ((t.millionths::int8 + 9007199254740992) << 5) + 24
         + case when t.lex like '%e%' then 1 else 0 end as inline_id
  from (select d.id, d.lex, d.lex::numeric * 1000000 as millionths
          from (select e.id, e.lex
                  from term as e
                 where e.id between 5476377146882523136 and 5764607523034234879
                   and e.datatype = 'http://www.w3.org/2001/XMLSchema#double'
                   and e.lex ~ '^(0\.0[Ee]0|-?[1-9]\.(0|[0-9]{0,13}[1-9])[Ee](-[1-6]|[0-9]))$'
                offset 0) as d -- other texts are no numbers
        offset 0) as t
 where abs(t.millionths) < 9007199254740992 and t.millionths = trunc(t.millionths);

alter table moved_double add primary key (id);
analyze moved_double;

update quad as q set o = m.inline_id from moved_double as m where q.o = m.id;

-- States are computed from changes where none is kept.
delete from kept_state as k
 where exists (select from unnest(k.objects) as a (o) join moved_double as m on m.id = a.o);

update change as c
   set added_o = case when c.added_o is not null then array(
         select coalesce(m.inline_id, a.o)
           from unnest(c.added_o) with ordinality as a (o, n) left join moved_double as m on m.id = a.o
          order by a.n) end,
       removed_o = case when c.removed_o is not null then array(
         select coalesce(m.inline_id, r.o)
           from unnest(c.removed_o) with ordinality as r (o, n) left join moved_double as m on m.id = r.o
          order by r.n) end
 where exists (select from unnest(c.added_o || c.removed_o) as a (o) join moved_double as m on m.id = a.o);

delete from term as t using moved_double as m where t.id = m.id;

drop table moved_double;
