-- Names for the term ids that are the same in every dataset, so that functions need no bare numbers.
--
-- The planner replaces each call by its constant. The first migration inserts the terms with ids below 100,
-- create_dataset those of the platform.
create or replace function rdf_type() returns int8
  language sql immutable parallel safe return 1::int8;
create or replace function rdf_first() returns int8
  language sql immutable parallel safe return 2::int8;
create or replace function rdf_rest() returns int8
  language sql immutable parallel safe return 3::int8;
create or replace function rdf_nil() returns int8
  language sql immutable parallel safe return 4::int8;
create or replace function ldp_contains() returns int8
  language sql immutable parallel safe return 10::int8;
create or replace function ldp_member() returns int8
  language sql immutable parallel safe return 11::int8;
create or replace function ldp_member_subject() returns int8
  language sql immutable parallel safe return 12::int8;
create or replace function ldp_membership_resource() returns int8
  language sql immutable parallel safe return 13::int8;
create or replace function ldp_has_member_relation() returns int8
  language sql immutable parallel safe return 14::int8;
create or replace function ldp_is_member_of_relation() returns int8
  language sql immutable parallel safe return 15::int8;
create or replace function ldp_inserted_content_relation() returns int8
  language sql immutable parallel safe return 16::int8;
create or replace function ldp_rdf_source() returns int8
  language sql immutable parallel safe return 17::int8;
create or replace function ldp_basic_container() returns int8
  language sql immutable parallel safe return 18::int8;
create or replace function ldp_direct_container() returns int8
  language sql immutable parallel safe return 19::int8;
create or replace function platform_document() returns int8
  language sql immutable parallel safe return 100::int8;
create or replace function platform_access_point() returns int8
  language sql immutable parallel safe return 101::int8;
create or replace function platform_created() returns int8
  language sql immutable parallel safe return 102::int8;
create or replace function platform_modified() returns int8
  language sql immutable parallel safe return 103::int8;
create or replace function platform_has_access_point() returns int8
  language sql immutable parallel safe return 104::int8;

-- Ranges of ids (sql/migrations/000001_store.sql).
create or replace function first_blank_node() returns int8 language sql immutable parallel safe
  return 1152921504606846976; -- 2^60
create or replace function first_literal() returns int8 language sql immutable parallel safe
  return 4611686018427387904; -- 2^62

create or replace function is_blank_node(id int8) returns boolean language sql immutable parallel safe
  return is_blank_node.id between 1152921504606846976 and 2305843009213693951;

comment on function rdf_type() is 'Id of rdf:type.';
comment on function rdf_first() is 'Id of rdf:first.';
comment on function rdf_rest() is 'Id of rdf:rest.';
comment on function rdf_nil() is 'Id of rdf:nil.';
comment on function ldp_contains() is 'Id of ldp:contains.';
comment on function ldp_member() is 'Id of ldp:member.';
comment on function ldp_member_subject() is 'Id of ldp:MemberSubject.';
comment on function ldp_membership_resource() is 'Id of ldp:membershipResource.';
comment on function ldp_has_member_relation() is 'Id of ldp:hasMemberRelation.';
comment on function ldp_is_member_of_relation() is 'Id of ldp:isMemberOfRelation.';
comment on function ldp_inserted_content_relation() is 'Id of ldp:insertedContentRelation.';
comment on function ldp_rdf_source() is 'Id of ldp:RDFSource.';
comment on function ldp_basic_container() is 'Id of ldp:BasicContainer.';
comment on function ldp_direct_container() is 'Id of ldp:DirectContainer.';
comment on function platform_document() is 'Id of c:Document.';
comment on function platform_access_point() is 'Id of c:AccessPoint.';
comment on function platform_created() is 'Id of c:created.';
comment on function platform_modified() is 'Id of c:modified.';
comment on function platform_has_access_point() is 'Id of c:accessPoint.';
comment on function first_blank_node() is 'Lowest id of a blank node, 2^60.';
comment on function first_literal() is 'Lowest id of a literal in the dictionary, 2^62.';
comment on function is_blank_node(int8) is 'Whether an id is that of a blank node.';
