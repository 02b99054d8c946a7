-- More literals fit into ids (functions/term/inline.sql): dateTimes with six fraction digits, such as Python writes,
-- and doubles such as 5.21E+01 and 52.1E0. DateTimes have kinds in the order of their time now: those without a time
-- zone, and dates, move to other kinds.
--
-- Older programs would read other literals from these ids.
--! breaking

create table moved_term as
select t.id, case t.code when 0 then -2305843009213693952 else -4611686018427387904 end
         + ((t.micros + 4503599627370496) << 7) + t.code as inline_id
  from (select p.id, p.code,
               (extract(epoch from left(p.lex, 26)::timestamp) * 1000000)::int8
                 - case when p.code < 2 then 0 else (p.code - 58) * 900000000::int8 end as micros
          from (select e.id, e.lex,
                       case substr(e.lex, 27, 1) when '' then 0 when 'Z' then 1
                         else 58 + (substr(e.lex, 27, 1) || '1')::int
                           * (substr(e.lex, 28, 2)::int * 4 + substr(e.lex, 31, 2)::int / 15) end as code
                  from term as e
                 where e.id between 5764607523034234880 and 6052837899185946623
                   and e.datatype = 'http://www.w3.org/2001/XMLSchema#dateTime'
                   and e.lex ~ ('^(18[2-9]|19[0-9]|20[0-9]|21[01])[0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
                     || 'T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}'
                     || '(Z|[+-]((0[0-9]|1[0-3]):(00|15|30|45)|14:00))?$')
                   and e.lex not like '%-00:00'
                offset 0) as p -- other texts are no times
         where substr(p.lex, 9, 2)::int <= extract(day from
                 make_date(left(p.lex, 4)::int, substr(p.lex, 6, 2)::int, 1) + interval '1 month - 1 day')
        offset 0) as t
 where t.micros >= -4503599627370496 and t.micros < 4503599627370496;

insert into moved_term
select t.id, -6917529027641081856 + ((t.millionths::int8 + 9007199254740992) << 5) + 24 + t.style
         + case when t.lex like '%e%' then 1 else 0 end
  from (select d.id, d.lex, d.lex::numeric * 1000000 as millionths,
               case when d.lex ~ '^(0[Ee]\+00|-?[1-9](\.[0-9]{0,13}[1-9])?[Ee][+-]0[0-9])$' then 2
                    when d.lex ~ '^-?(0|[1-9][0-9]{1,9})\.(0|[0-9]{0,5}[1-9])[Ee]0$' then 4 end as style
          from (select e.id, e.lex
                  from term as e
                 where e.id between 5476377146882523136 and 5764607523034234879
                   and e.datatype = 'http://www.w3.org/2001/XMLSchema#double'
                   and e.lex ~ '^-?[0-9]{1,16}(\.[0-9]{1,16})?[Ee][+-]?[0-9]{1,2}$'
                offset 0) as d -- other texts are no numbers
        offset 0) as t
 where t.style is not null and abs(t.millionths) < 9007199254740992 and t.millionths = trunc(t.millionths)
   and length(rtrim(abs(trunc(t.millionths))::text, '0')) <= 15 and (t.millionths <> 0 or t.lex not like '-%');

alter table moved_term add primary key (id);
analyze moved_term;

create function moved_object(o int8) returns int8
language sql stable
return case
  when moved_object.o between -4611686018427387904 and -3458764513820540929 then moved_object.o + 1152921504606846976
  when moved_object.o between -3458764513820540928 and -2305843009213693953 then moved_object.o + 2305843009213693952
  else coalesce((select m.inline_id from moved_term as m where m.id = moved_object.o), moved_object.o)
end;

-- No id of the one kind that moves has the payload of an id of the other: no triple meets another one on the way.
update quad set o = moved_object(o) where o between -4611686018427387904 and -2305843009213693953;
update quad as q set o = m.inline_id from moved_term as m where q.o = m.id;

-- States are computed from changes where none is kept.
delete from kept_state as k where exists (select from unnest(k.objects) as a (o) where moved_object(a.o) <> a.o);

update change as c
   set added_o = case when c.added_o is not null then array(
         select moved_object(a.o) from unnest(c.added_o) with ordinality as a (o, n) order by a.n) end,
       removed_o = case when c.removed_o is not null then array(
         select moved_object(r.o) from unnest(c.removed_o) with ordinality as r (o, n) order by r.n) end
 where exists (select from unnest(c.added_o || c.removed_o) as a (o) where moved_object(a.o) <> a.o);

delete from term as t using moved_term as m where t.id = m.id;

drop function moved_object(int8);
drop table moved_term;
