-- For eyes in psql. In all views an IRI is written as it is, without brackets, so that they join. A view computes the
-- text of each row that it reads. In a large dataset, find ids first and read the tables:
--
--   select plain_term(q.s), plain_term(q.p), plain_term(q.o)
--     from quad as q where q.g = (term_ids(array['I' || 'http://localhost:8080/books/']))[1];

create or replace view quads as
  select plain_term(q.g) as graph, plain_term(q.s) as subject, plain_term(q.p) as predicate, plain_term(q.o) as object,
         q.copy is null as is_primary
    from quad as q;

comment on view quads is 'Every stored triple with its graph.';
comment on column quads.graph is 'IRI of a document, or of a raw graph.';
comment on column quads.object is 'An IRI as it is; a literal or blank node as in N-Triples.';
comment on column quads.is_primary is 'The rows with true are the union of all graphs, each triple once.';

create or replace view documents as
  select t.lex as iri, p.lex as parent, d.revision as etag, d.created, d.modified, d.is_access_point,
         (select count(*) from quad as q where q.g = d.id) as triples,
         (select count(*) from document as c where c.parent = d.id) as children
    from document as d
    join term as t on t.id = d.id
    left join term as p on p.id = d.parent;

comment on view documents is 'Documents with their parent, entity tag, times and counts.';
comment on column documents.parent is 'Null for the root.';
comment on column documents.triples is 'Number of stored triples, without those that the service derives.';

create or replace view children as
  select p.lex as parent, t.lex as child, c.is_access_point, r.lex as member_by
    from document as c
    join term as t on t.id = c.id
    join term as p on p.id = c.parent
    left join term as r on r.id = c.member_by;

comment on view children is 'Containment: each document with its parent, and the relation it is a member by.';
comment on column children.member_by is 'Property by which the parent has the child as a member; null if it is none.';

create or replace view members as
  select k.lex as keeper, c.lex as container, r.lex as relation, m.lex as member
    from document as d
    join lateral (select case when d.is_access_point then d.parent else d.id end as id) as of on true
    join lateral (select q.o as id
                    from quad as q
                   where q.g = of.id and q.s = of.id and q.p = d.has_member_relation
                  union
                  select b.id from document as b where b.parent = of.id and b.member_by = d.has_member_relation) as l
      on true
    join term as k on k.id = d.id
    join term as c on c.id = of.id
    join term as r on r.id = d.has_member_relation
    join term as m on m.id = l.id and m.id < first_blank_node();

comment on view members is 'The lists of members that documents and access points keep.';
comment on column members.keeper is 'The document or access point that keeps the list.';
comment on column members.container is 'Subject of the memberships: the keeper, or the parent of an access point.';
comment on column members.relation is 'Property of the memberships: ldp:hasMemberRelation of the keeper.';
comment on column members.member is 'Object of the membership.';

create or replace view access_points as
  select t.lex as iri, p.lex as container, r.lex as relation, plain_term(inverse_relation(d.id)) as inverse,
         d.revision as etag, d.created, d.modified
    from document as d
    join term as t on t.id = d.id
    join term as p on p.id = d.parent
    join term as r on r.id = d.has_member_relation
   where d.is_access_point;

comment on view access_points is 'Access points with the lists that they keep.';
comment on column access_points.container is 'The parent, in whose graph the list is.';
comment on column access_points.relation is 'ldp:hasMemberRelation.';
comment on column access_points.inverse is 'ldp:isMemberOfRelation; null for none.';

create or replace view grants as
  select t.lex as document, g.grantee, g.modes, nullif(g.expires, 'infinity') as expires,
         g.expires > statement_timestamp() as is_valid,
         coalesce((select r.is_isolated from access_realm as r where r.id = g.document), false) as is_private
    from access_grant as g
    join term as t on t.id = g.document;

comment on view grants is 'Who may do what with a document and all below it.';
comment on column grants.grantee is 'public, authenticated, agent IRI or group NAME.';
comment on column grants.expires is 'Null: it has no end.';
comment on column grants.is_valid is 'False: it has expired.';
comment on column grants.is_private is 'The document does not inherit grants from above.';

create or replace view changes as
  select c.position, c.time, name_at(c.document, c.position) as document, c.action, c.agent, c.request_id,
         c.before, c.after, change_lines(c.position, true) as added, change_lines(c.position, false) as removed
    from change as c
   where c.action is not null;

comment on view changes is
  'The change log, as far as it is kept (CHANGES): a row for each change of a document or raw graph.';
comment on column changes.document is 'The IRI at that time.';
comment on column changes.before is 'Entity tag before the change; null: the document is new.';
comment on column changes.after is 'Entity tag after the change; null: the document is gone.';
comment on column changes.added is 'Added triples as lines of N-Triples, with the IRIs of that time; null for none.';
comment on column changes.removed is 'Removed triples in the same form.';
