-- Decimals and doubles with up to 17 digits fit into ids, by the bits of their doubles (functions/term/inline.sql).
--
-- Older programs would read booleans from these ids.
--! breaking

create table moved_term as
select t.id, -8646911284551352320 + (case when t.value < 0 then ~t.bits else t.bits end << 1) + t.type as inline_id
  from (select d.id, d.value, d.type,
               ('x' || encode(float8send(abs(d.value)), 'hex'))::bit(64)::int8 - (1010::int8 << 52) as bits
          from (select e.id, e.lex, e.lex::float8 as value,
                       case when e.datatype = 'http://www.w3.org/2001/XMLSchema#double' then 1 else 0 end as type
                  from term as e
                 where e.id between 5476377146882523136 and 5764607523034234879
                   and e.datatype in ('http://www.w3.org/2001/XMLSchema#decimal',
                     'http://www.w3.org/2001/XMLSchema#double')
                   and e.lex ~ '^-?(0|[1-9][0-9]{0,14})\.[0-9]{1,20}$'
                offset 0) as d -- other texts are no numbers
         where abs(d.value) >= 2 ^ -13 and abs(d.value) < 2 ^ 49
           and d.lex = d.value::text || case when d.value = trunc(d.value) then '.0' else '' end
        offset 0) as t;

alter table moved_term add primary key (id);
analyze moved_term;

create function moved_object(o int8) returns int8
language sql stable
return coalesce((select m.inline_id from moved_term as m where m.id = moved_object.o), moved_object.o);

update quad as q set o = m.inline_id from moved_term as m where q.o = m.id;

-- States are computed from changes where none is kept.
delete from kept_state as k where exists (select from unnest(k.objects) as a (o) join moved_term as m on m.id = a.o);

update change as c
   set added_o = case when c.added_o is not null then array(
         select moved_object(a.o) from unnest(c.added_o) with ordinality as a (o, n) order by a.n) end,
       removed_o = case when c.removed_o is not null then array(
         select moved_object(r.o) from unnest(c.removed_o) with ordinality as r (o, n) order by r.n) end
 where exists (select from unnest(c.added_o || c.removed_o) as a (o) join moved_term as m on m.id = a.o);

delete from term as t using moved_term as m where t.id = m.id;

drop function moved_object(int8);
drop table moved_term;
