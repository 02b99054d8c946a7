-- The store: terms, documents, quads, and the dataset's own settings.
--
-- Ids are signed int8, and their ranges tell what a term is without a look at the dictionary:
--
--   0 … 2^60-1         IRI, in the dictionary; 1 … 999 are the vocabulary the functions know by name
--   2^60 … 2^61-1      blank node; no dictionary row, its label is qs<id - 2^60>
--   2^61 … 2^62-1      kept free (triple terms of RDF 1.2)
--   2^62 … 2^63-1      literal, in the dictionary; bits 61 … 58 say of which class (term_class)
--   negative           inline literal: a value whose lexical form the id itself gives back (inline_lexical_form)
--
-- Files in this folder name no schema: they run with search_path set to the dataset's.

-- One row: what the dataset was made for. Documents' IRIs and the platform's vocabulary are stored in full,
-- so neither setting can change under them.
create table dataset (
  is_only     boolean primary key default true check (is_only),
  base        text not null check (base like 'http%/'),
  platform_ns text not null
);

create sequence term_seq start 1000;
create sequence blank_node_seq;
-- Entity tags: taken once, never again, not even after a delete and a new create (decisions, "ETag value").
create sequence revision_seq;

create table term (
  id       int8 primary key,
  -- sha256 of the term's key, first 128 bits; the text itself can outgrow a btree page
  hash     uuid not null constraint term_hash_key unique,
  -- the IRI, or the literal's lexical form exactly as written
  lex      text collate "C" not null,
  -- null for IRIs and for xsd:string
  datatype text collate "C",
  -- the tag exactly as written; null for none
  lang     text collate "C"
);

create table document (
  -- the id of the document's IRI, which is also the graph of its quads
  id                  int8 constraint "document-iri-free" primary key,
  parent              int8 constraint "parent-exists" references document,
  revision            int8 not null default nextval('revision_seq'),
  created             timestamptz not null,
  modified            timestamptz not null,
  is_access_point     boolean not null default false,
  -- ldp:hasMemberRelation of this document
  has_member_relation int8 not null,
  -- the relation under which its parent has it as a member from birth; null once it was removed from the members.
  -- <parent> <member_by> <document> is derived from this row, like <parent> ldp:contains <document>: never stored.
  member_by           int8,
  constraint "document-is-an-iri" check (id between 1 and 1152921504606846975)
);

create index document_parent_id on document (parent, id);

create table quad (
  g    int8 not null,
  s    int8 not null,
  p    int8 not null,
  o    int8 not null,
  -- null: this row is the triple's one primary copy, and "copy is null" is the union of all graphs, free of duplicates;
  -- true: the same triple has its primary in another graph (or is derived). A null costs no space in the row.
  copy boolean,
  constraint "quad-copy-is-true-or-null" check (copy)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

create index quad_po on quad (p, o);
create index quad_o on quad (o) where o between 1 and 2305843009213693951;
create index quad_g on quad (g);
-- Last, because of two indexes that cost the same the planner takes the younger one (functions/40_graph.sql).
create unique index quad_spo on quad (s, p, o) where copy is null;
create unique index quad_spog on quad (s, p, o, g) where copy;

-- What a write tells: the document's id, its new entity tag (without quotes) and time, and the ids that the blank
-- nodes among the sent keys were given, in their order.
create type written as (id int8, etag text, modified timestamptz, is_access_point boolean, blank_nodes int8[]);

-- A document as reading tells it; 55_read.sql explains the columns.
create type document_state as (
  id              int8,
  etag            text,
  created         timestamptz,
  modified        timestamptz,
  is_access_point boolean,
  subjects        int8[],
  predicates      int8[],
  objects         int8[],
  terms           json,
  children        json,
  members         json
);

comment on type document_state is
  'A document as reading tells it: state, triples as ids, their terms, a page of children.';
comment on type written is 'What a write tells: document, new entity tag, time, ids given to its blank nodes.';
comment on table dataset is 'What this dataset was made for: one row, written at the first start.';
comment on table term is 'The dictionary: IRIs and the literals that do not fit into an id.';
comment on table document is 'One row a document; its triples are the quads whose g is its id.';
comment on table quad is 'Every stored triple with its graph, as term ids; read it through the view quads.';
comment on column term.hash is 'First 128 bits of the SHA-256 of the term''s key (term_hash).';
comment on column term.lex is 'The IRI, or the lexical form exactly as written.';
comment on column document.revision is 'The entity tag without its quotes; new on every write.';
comment on column document.member_by is
  'Relation under which the parent has this child as a member; null when it is none.';
comment on column quad.copy is 'True when the triple''s primary copy is in another graph; null for the primary.';

-- The vocabulary that functions name; functions/vocabulary.sql gives each its name. Ids from 100 on belong to the
-- platform's namespace and come with the dataset row.
insert into term (id, hash, lex)
select id, encode(substr(sha256(convert_to('I' || iri, 'UTF8')), 1, 16), 'hex')::uuid, iri
  from (values
    ( 1, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'),
    ( 2, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#first'),
    ( 3, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#rest'),
    ( 4, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#nil'),
    (10, 'http://www.w3.org/ns/ldp#contains'),
    (11, 'http://www.w3.org/ns/ldp#member'),
    (12, 'http://www.w3.org/ns/ldp#MemberSubject'),
    (13, 'http://www.w3.org/ns/ldp#membershipResource'),
    (14, 'http://www.w3.org/ns/ldp#hasMemberRelation'),
    (15, 'http://www.w3.org/ns/ldp#isMemberOfRelation'),
    (16, 'http://www.w3.org/ns/ldp#insertedContentRelation'),
    (17, 'http://www.w3.org/ns/ldp#RDFSource'),
    (18, 'http://www.w3.org/ns/ldp#BasicContainer'),
    (19, 'http://www.w3.org/ns/ldp#DirectContainer')
  ) as vocabulary (id, iri);
