-- For eyes in psql. Big datasets: name a graph or a subject by its id (term_ids) before you read these whole.

create or replace view quads as
  select show_term(q.g) as graph, show_term(q.s) as subject, show_term(q.p) as predicate, show_term(q.o) as object,
         q.copy is null as is_primary
    from quad as q;

comment on view quads is 'Every stored triple with its graph, as N-Quads writes terms.';

create or replace view documents as
  select t.lex as iri, p.lex as parent, d.revision as etag, d.created, d.modified, d.is_access_point,
         (select count(*) from quad as q where q.g = d.id) as triples,
         (select count(*) from document as c where c.parent = d.id) as children
    from document as d
    join term as t on t.id = d.id
    left join term as p on p.id = d.parent;

comment on view documents is 'Documents with their parent, entity tag, times and counts.';

create or replace view children as
  select p.lex as parent, t.lex as child, c.is_access_point, r.lex as member_by
    from document as c
    join term as t on t.id = c.id
    join term as p on p.id = c.parent
    left join term as r on r.id = c.member_by;

comment on view children is 'Containment: each document with its parent, and the relation it is a member by.';
