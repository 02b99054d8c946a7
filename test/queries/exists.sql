select exists (
  select 1::int8 as c0
  from "quadstead".quad as t0
  where (t0.copy is null) and (t0.p = 1015::int8) and (not exists (
    select 1::int8 as c0
    from "quadstead".quad as t1
    where (t1.copy is null) and (t1.p = 1025::int8) and (t1.s = t0.o) and (t1.o = t0.s)
  ))
) as c0
