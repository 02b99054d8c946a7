-- What a fresh install holds, for review: "npm run db:dump" writes this file, and a test compares it.

create sequence audit_id_seq;
create sequence blank_node_seq;
create sequence change_seq;
create sequence follow_id_seq;
create sequence revision_seq;
create sequence term_seq;
create sequence webhook_id_seq;

create type caller as (
  grantees text[],
  is_hidden boolean,
  agent text,
  request_id text,
  is_audited boolean
);
create type document_state as (
  id bigint,
  etag text,
  created timestamp with time zone,
  modified timestamp with time zone,
  is_access_point boolean,
  subjects bigint[],
  predicates bigint[],
  objects bigint[],
  term_ids bigint[],
  term_texts json,
  children json,
  members json,
  own_modes text[],
  public_modes text[]
);
create type written as (
  id bigint,
  etag text,
  modified timestamp with time zone,
  is_access_point boolean,
  blank_nodes bigint[]
);

create table access_grant (
  document bigint not null,
  grantee text collate "C" not null,
  modes text[] not null,
  expires timestamp with time zone not null default 'infinity'::timestamp with time zone,
  constraint access_grant_pkey PRIMARY KEY (document, grantee, expires),
  constraint "grantee-fits" CHECK ((octet_length(grantee) <= 2000)),
  constraint "grantee-known" CHECK ((grantee ~ '^(public$|authenticated$|agent \S+$|group \S)'::text)),
  constraint "modes-known" CHECK (((modes <> '{}'::text[]) AND (modes <@ ARRAY['read'::text, 'create'::text,
    'members'::text, 'edit'::text, 'delete'::text, 'append'::text, 'write'::text, 'query'::text,
    'control'::text])))
);
create table access_realm (
  id bigint not null,
  above bigint,
  is_isolated boolean not null default false,
  constraint access_realm_pkey PRIMARY KEY (id)
);
create table api_key (
  hash bytea not null,
  agent text not null,
  groups text[] not null default '{}'::text[],
  name text not null default ''::text,
  created timestamp with time zone not null default clock_timestamp(),
  expires timestamp with time zone,
  modes text[],
  within text,
  last_used timestamp with time zone,
  constraint api_key_pkey PRIMARY KEY (hash),
  constraint "key-is-hashed" CHECK ((octet_length(hash) = 32)),
  constraint "key-modes-known" CHECK (((modes <> '{}'::text[]) AND (modes <@ ARRAY['read'::text,
    'create'::text, 'members'::text, 'edit'::text, 'delete'::text, 'append'::text, 'write'::text, 'query'::text,
    'control'::text])))
);
create table audit (
  id bigint not null,
  time timestamp with time zone not null default clock_timestamp(),
  agent text,
  request_id text,
  action text not null,
  document text not null,
  etag text,
  constraint audit_pkey PRIMARY KEY (id)
);
create table change (
  position bigint not null,
  transaction bigint not null,
  time timestamp with time zone not null default clock_timestamp(),
  document bigint not null,
  parent bigint,
  member_by bigint,
  realm bigint,
  before bigint,
  after bigint,
  is_access_point boolean,
  action text collate "C",
  agent text collate "C",
  request_id text collate "C",
  added_s bigint[],
  added_p bigint[],
  added_o bigint[],
  removed_s bigint[],
  removed_p bigint[],
  removed_o bigint[],
  constraint change_pkey PRIMARY KEY ("position")
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.05,
    autovacuum_analyze_scale_factor=0.02);
create table dataset (
  is_only boolean not null default true,
  base text not null,
  platform_ns text not null,
  grants_revision bigint not null default 0,
  names_revision bigint not null default 0,
  logs_changes boolean not null default false,
  changes_kept interval,
  changes_lost bigint not null default 0,
  changes_lost_time timestamp with time zone not null default clock_timestamp(),
  changes_lost_tag bigint not null default 0,
  states_seen bigint not null default 0,
  constraint dataset_base_check CHECK ((base ~~ 'http%/'::text)),
  constraint dataset_is_only_check CHECK (is_only),
  constraint dataset_pkey PRIMARY KEY (is_only)
);
create table document (
  id bigint not null,
  parent bigint,
  revision bigint not null default nextval('revision_seq'::regclass),
  created timestamp with time zone not null,
  modified timestamp with time zone not null,
  is_access_point boolean not null default false,
  has_member_relation bigint not null,
  member_by bigint,
  realm bigint,
  constraint "document-iri-free" PRIMARY KEY (id),
  constraint "document-is-an-iri" CHECK (((id >= 1) AND (id <= '1152921504606846975'::bigint))),
  constraint "parent-exists" FOREIGN KEY (parent) REFERENCES document(id)
);
create table follow (
  id bigint not null,
  url text collate "C" not null,
  path text collate "C" not null,
  key text,
  created timestamp with time zone not null default now(),
  position text collate "C" not null default 'documents'::text,
  round integer not null default 1,
  is_swept boolean not null default false,
  failures integer not null default 0,
  next_attempt timestamp with time zone not null default now(),
  last_failure timestamp with time zone,
  last_reason text,
  current_at timestamp with time zone,
  behind bigint,
  holder uuid,
  held_until timestamp with time zone,
  constraint follow_pkey PRIMARY KEY (id)
);
create table followed (
  document bigint not null,
  follow bigint not null,
  tag text collate "C",
  round integer not null,
  constraint followed_follow_fkey FOREIGN KEY (follow) REFERENCES follow(id),
  constraint followed_pkey PRIMARY KEY (document)
);
create table followed_node (
  document bigint not null,
  label text collate "C" not null,
  id bigint not null,
  constraint followed_node_pkey PRIMARY KEY (document, label)
);
create table kept_answer (
  id bytea not null,
  agent text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  headers jsonb not null,
  body bytea not null,
  made timestamp with time zone not null default now(),
  constraint kept_answer_pkey PRIMARY KEY (id)
);
create table kept_state (
  document bigint not null,
  position bigint not null,
  tag bigint not null,
  time timestamp with time zone not null,
  size integer not null,
  subjects bigint[] not null,
  predicates bigint[] not null,
  objects bigint[] not null,
  constraint kept_state_pkey PRIMARY KEY (document, "position")
);
create table migration (
  version integer not null,
  name text not null,
  checksum text not null,
  breaking boolean not null default false,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (version)
);
create table moved (
  hash uuid not null,
  iri text collate "C" not null,
  target text collate "C" not null,
  expires timestamp with time zone not null,
  constraint moved_pkey PRIMARY KEY (hash)
);
create table old_name (
  id bigint not null,
  position bigint not null,
  name text collate "C" not null,
  constraint old_name_pkey PRIMARY KEY (id, "position")
);
create table quad (
  g bigint not null,
  s bigint not null,
  p bigint not null,
  o bigint not null,
  copy boolean,
  constraint "quad-copy-is-true-or-null" CHECK (copy)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02,
    autovacuum_analyze_scale_factor=0.02);
create table raw_graph (
  id bigint not null,
  constraint "raw-graph-is-an-iri" CHECK (((id >= 1) AND (id <= '1152921504606846975'::bigint))),
  constraint raw_graph_pkey PRIMARY KEY (id)
);
create table search_gathering (
  is_only boolean not null default true,
  ended bigint not null default 0,
  next bigint not null default 0,
  next_xid xid8 not null default '0'::xid8,
  constraint search_gathering_is_only_check CHECK (is_only),
  constraint search_gathering_pkey PRIMARY KEY (is_only)
);
create table search_word (
  word text collate "C" not null,
  constraint search_word_pkey PRIMARY KEY (word)
);
create table term (
  id bigint not null,
  hash uuid not null,
  lex text collate "C" not null,
  datatype text collate "C",
  lang text collate "C",
  constraint term_hash_key UNIQUE (hash),
  constraint term_pkey PRIMARY KEY (id)
);
create table web_session (
  hash bytea not null,
  next_hash bytea,
  next_made timestamp with time zone,
  past_hash bytea,
  agent text not null,
  groups text[] not null default '{}'::text[],
  name text not null default ''::text,
  key_hash bytea,
  id_token text,
  begun timestamp with time zone not null default now(),
  turned timestamp with time zone not null default now(),
  used timestamp with time zone not null default now(),
  ends timestamp with time zone not null,
  id uuid not null default gen_random_uuid(),
  client text not null default ''::text,
  constraint "token-is-hashed" CHECK ((octet_length(hash) = 32)),
  constraint web_session_id_key UNIQUE (id),
  constraint web_session_key_hash_fkey FOREIGN KEY (key_hash) REFERENCES api_key(hash) ON DELETE CASCADE,
  constraint web_session_next_hash_key UNIQUE (next_hash),
  constraint web_session_past_hash_key UNIQUE (past_hash),
  constraint web_session_pkey PRIMARY KEY (hash)
);
create table webhook (
  id bigint not null,
  url text not null,
  secret bytea not null,
  agent text collate "C",
  groups text[] not null default '{}'::text[],
  under text collate "C",
  actions text[],
  created timestamp with time zone not null default now(),
  position bigint not null,
  state text not null default 'active'::text,
  failures integer not null default 0,
  next_attempt timestamp with time zone not null default now(),
  failed_at bigint,
  last_delivery timestamp with time zone,
  last_failure timestamp with time zone,
  last_reason text,
  holder uuid,
  held_until timestamp with time zone,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint webhook_state_check CHECK ((state = ANY (ARRAY['active'::text, 'dead'::text, 'gone'::text])))
);

CREATE INDEX access_grant_grantee ON access_grant USING btree (grantee);
CREATE INDEX access_realm_above ON access_realm USING btree (above);
CREATE INDEX access_realm_isolated ON access_realm USING btree (id) WHERE is_isolated;
CREATE INDEX api_key_agent ON api_key USING hash (agent);
CREATE INDEX audit_document ON audit USING hash (document);
CREATE INDEX audit_time ON audit USING btree ("time");
CREATE INDEX change_document ON change USING btree (document, "position");
CREATE INDEX change_time ON change USING brin ("time") WITH (pages_per_range='16',
    autosummarize='on');
CREATE INDEX change_transaction ON change USING brin (transaction) WITH (pages_per_range='16',
    autosummarize='on');
CREATE INDEX document_member_by ON document USING btree (member_by) WHERE (member_by IS NOT NULL);
CREATE INDEX document_parent_id ON document USING btree (parent, id);
CREATE INDEX document_realm ON document USING btree (realm) WHERE (realm IS NOT NULL);
CREATE INDEX followed_follow ON followed USING btree (follow, round);
CREATE INDEX grant_expires ON access_grant USING btree (expires) WHERE (expires < 'infinity'::timestamp with time zone);
CREATE INDEX kept_answer_made ON kept_answer USING btree (made);
CREATE INDEX moved_expires ON moved USING btree (expires);
CREATE INDEX old_name_name ON old_name USING hash (name);
CREATE INDEX old_name_position ON old_name USING btree ("position");
CREATE INDEX quad_g ON quad USING btree (g);
CREATE INDEX quad_o ON quad USING btree (o) WHERE ((o >= 1)
    AND (o <= '2305843009213693951'::bigint));
CREATE INDEX quad_po_copy ON quad USING btree (p, o) WHERE copy;
CREATE INDEX quad_pos ON quad USING btree (p, o, s) WITH (fillfactor='95') WHERE (copy IS NULL);
CREATE UNIQUE INDEX quad_spo ON quad USING btree (s, p,
    o) WITH (fillfactor='95') WHERE (copy IS NULL);
CREATE UNIQUE INDEX quad_spog ON quad USING btree (s, p, o, g) WHERE copy;
CREATE INDEX term_words ON term USING gin (search_words(lex,
    lang)) WITH (gin_pending_list_limit='1024') WHERE ((id >= '4611686018427387904'::bigint)
    AND (id <= '5188146770730811391'::bigint));
CREATE INDEX web_session_agent ON web_session USING btree (agent, begun);
CREATE INDEX web_session_ends ON web_session USING btree (ends);
CREATE INDEX web_session_key ON web_session USING btree (key_hash) WHERE (key_hash IS NOT NULL);

CREATE STATISTICS quad_predicate_of_object (dependencies) ON p, o FROM quad;

create view access_points (iri, container, relation, inverse, etag, created, modified);
create view changes (position, time, document, action, agent, request_id, before, after, added, removed);
create view children (parent, child, is_access_point, member_by);
create view documents (iri, parent, etag, created, modified, is_access_point, triples, children);
create view grants (document, grantee, modes, expires, is_valid, is_private);
create view members (keeper, container, relation, member);
create view quads (graph, subject, predicate, object, is_primary);

create function access_modes(iri text, grantees text[], OUT own text[], OUT everybody text[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function add_api_key(hash bytea, agent text, groups text[], name text, modes text[], within text,
    expires timestamp with time zone, key_limit integer DEFAULT NULL::integer, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql volatile security definer;
create function add_child(iri text, parent text, keys text[], subjects bigint[], predicates bigint[],
    objects bigint[], caller caller)
  returns written
  language plpgsql volatile;
create function add_copies(ids bigint[], copies bigint[], terms bigint[], others bigint[], parent document,
    now timestamp with time zone)
  returns void
  language plpgsql volatile;
create function add_copy(follow follow, id bigint, parent document, relation bigint, is_access_point boolean)
  returns void
  language plpgsql volatile;
create function add_document(id bigint, parent bigint, member_by bigint, is_access_point boolean,
    subjects bigint[], predicates bigint[], objects bigint[], caller caller)
  returns written
  language plpgsql volatile;
create function add_follow(url text, path text, key text)
  returns bigint
  language plpgsql volatile security definer;
create function add_grant(iri text, grantee text, modes text[], expires timestamp with time zone,
    if_match text, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql volatile security definer;
create function add_graph(iri text, caller caller)
  returns bigint
  language plpgsql volatile;
create function add_graphs(graphs bigint[], INOUT created bigint[], caller caller)
  returns bigint[]
  language plpgsql volatile;
create function add_members(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, members text[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function add_plain_documents(documents bigint[], parents text[], keys text[], graphs integer[],
    subjects bigint[], predicates bigint[], objects bigint[], callers caller[], OUT ids bigint[], OUT etags text[],
    OUT modified timestamp with time zone, OUT blank_nodes bigint[])
  returns record
  language plpgsql volatile;
create function add_plain_graphs(ids bigint[], iris text[], caller caller)
  returns bigint[]
  language plpgsql volatile;
create function add_terms(keys text[], ids bigint[], is_new boolean[])
  returns boolean
  language plpgsql volatile;
create function add_webhook(url text, secret bytea, agent text, groups text[], under text, actions text[],
    after bigint, webhook_limit integer)
  returns bigint
  language plpgsql volatile security definer;
create function advance_webhook(id bigint, holder uuid, place bigint, is_delivered boolean, hold_ms integer)
  returns boolean
  language plpgsql volatile security definer;
create function all_members(keeper document)
  returns bigint[]
  language plpgsql stable;
create function api_key_id(hash bytea)
  returns text
  language sql immutable;
create function api_key_iri(id text)
  returns text
  language sql stable;
create function apply_follow(id bigint, holder uuid, place text, next text, kinds text[], iris text[],
    parents text[], relations text[], points boolean[], tags text[], actions text[], keys text[], graphs integer[],
    added boolean[], subjects bigint[], predicates bigint[], objects bigint[], is_end boolean)
  returns boolean
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function arranged_children(iri text, order_by text, is_down boolean, search text, skip integer,
    page_size integer, child_limit integer, properties text[], languages text[],
    caller caller DEFAULT NULL::caller, OUT total integer, OUT children json)
  returns record
  language plpgsql stable;
create function base_state(document bigint, OUT tag bigint, OUT at timestamp with time zone,
    OUT is_access_point boolean)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function begin_update(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, need text, caller caller DEFAULT NULL::caller)
  returns bigint
  language plpgsql volatile security definer;
create function begin_web_session(hash bytea, agent text, groups text[], name text, key_hash bytea,
    id_token text, lasts_ms double precision, replaced bytea, client text DEFAULT ''::text)
  returns void
  language plpgsql volatile security definer;
create function blank_nodes_of(keys text[], ids bigint[])
  returns bigint[]
  language plpgsql immutable;
create function caller_scope(grantees text[], OUT modes text[], OUT head bigint)
  returns record
  language plpgsql stable;
create function change_bound()
  returns bigint
  language plpgsql volatile security definer;
create function change_lines(place bigint, is_added boolean)
  returns text[]
  language plpgsql stable;
create function change_names()
  returns void
  language plpgsql volatile security definer
  set lock_timeout=2s;
create function change_quads(is_added boolean[], graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[], keys text[], own_ids bigint[], own_keys text[], INOUT created bigint[], INOUT nodes bigint[],
    caller caller, OUT changed bigint[], OUT inserted bigint, OUT removed bigint)
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function change_quads_of(place bigint, most integer, OUT is_large boolean, OUT added_s bigint[],
    OUT added_p bigint[], OUT added_o bigint[], OUT removed_s bigint[], OUT removed_p bigint[],
    OUT removed_o bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function change_range(OUT first bigint, OUT last bigint, OUT is_on boolean, OUT grants_revision bigint)
  returns record
  language plpgsql volatile security definer;
create function change_transaction()
  returns bigint
  language plpgsql volatile;
create function changed_access_points(logged change, realms bigint[], is_manager boolean)
  returns text[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function changes_of(document bigint, under bigint DEFAULT NULL::bigint,
    page integer DEFAULT NULL::integer)
  returns TABLE("position" bigint, transaction bigint, "time" timestamp with time zone, action text,
    agent text, request_id text, before bigint, after bigint, is_access_point boolean)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function check_changed_triples(lost bigint)
  returns TABLE(detail text)
  language plpgsql stable
  set work_mem=64MB;
create function check_changes()
  returns TABLE(rule text, detail text)
  language plpgsql stable
  set work_mem=64MB;
create function check_documents()
  returns TABLE(rule text, detail text)
  language plpgsql stable;
create function check_precondition(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, need text DEFAULT 'read'::text,
    caller caller DEFAULT NULL::caller)
  returns void
  language plpgsql stable;
create function check_store()
  returns TABLE(rule text, detail text)
  language plpgsql stable;
create function children_page(parent bigint, after bigint, page_size integer)
  returns json
  language plpgsql stable;
create function chosen_literals(query tsquery, patterns text[], certain text[], lead text, chosen bigint[],
    literal_limit integer)
  returns TABLE(id bigint, is_first boolean, length integer, lang text)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function claim_iri(id bigint)
  returns void
  language plpgsql volatile;
create function clear_target(iri text, target text, overwrites boolean, is_deep boolean, caller caller)
  returns boolean
  language plpgsql volatile;
create function close_realm(id bigint)
  returns void
  language plpgsql volatile;
create function copied_terms(documents bigint[], prefix text, target text, is_deep boolean, OUT ids bigint[],
    OUT others bigint[])
  returns record
  language plpgsql volatile;
create function copied_terms(keys text[])
  returns bigint[]
  language plpgsql volatile
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function copied_triples(step integer, ids bigint[], graphs integer[], added boolean[],
    subjects bigint[], predicates bigint[], objects bigint[])
  returns TABLE(is_added boolean, s bigint, p bigint, o bigint)
  language plpgsql immutable;
create function copy_document(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, target text, is_deep boolean, overwrites boolean,
    caller caller DEFAULT NULL::caller, OUT is_created boolean, OUT etag text,
    OUT modified timestamp with time zone)
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function copy_documents(ids bigint[], prefix text, target text, is_deep boolean, caller caller)
  returns bigint[]
  language plpgsql volatile;
create function copy_row(subject bigint, predicate bigint, object bigint)
  returns TABLE(at tid, g bigint)
  language sql stable;
create function count_rows(relation text, table_name text, condition text, count_limit integer)
  returns TABLE(number bigint, is_exact boolean)
  language plpgsql stable;
create function create_access_point(iri text, parent text, keys text[], subjects bigint[], predicates bigint[],
    objects bigint[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function create_dataset(base text, platform_ns text)
  returns void
  language plpgsql volatile;
create function create_document(iri text, parent text, keys text[], subjects bigint[], predicates bigint[],
    objects bigint[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function create_documents(documents bigint[], parents text[], keys text[], graphs integer[],
    subjects bigint[], predicates bigint[], objects bigint[], callers caller[] DEFAULT NULL::caller[])
  returns TABLE(id bigint, etag text, modified timestamp with time zone, blank_nodes bigint[])
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set lock_timeout=100ms;
create function delete_children(iri text, if_match text[] DEFAULT NULL::text[],
    if_none_match text[] DEFAULT NULL::text[],
    if_unmodified_since timestamp with time zone DEFAULT NULL::timestamp with time zone,
    caller caller DEFAULT NULL::caller)
  returns timestamp with time zone
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function delete_document(iri text, if_match text[] DEFAULT NULL::text[],
    if_none_match text[] DEFAULT NULL::text[],
    if_unmodified_since timestamp with time zone DEFAULT NULL::timestamp with time zone,
    is_deep boolean DEFAULT true, caller caller DEFAULT NULL::caller)
  returns timestamp with time zone
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function document_changes(iri text, under bigint, page integer, caller caller DEFAULT NULL::caller)
  returns TABLE("position" text, tag text, before text, "time" timestamp with time zone, action text,
    agent text, request_id text)
  language plpgsql stable security definer;
create function document_path(iri text)
  returns text[]
  language plpgsql stable;
create function drop_grants(ids bigint[])
  returns void
  language plpgsql volatile;
create function drop_graphs(INOUT graphs bigint[], OUT subjects bigint[], OUT predicates bigint[],
    OUT objects bigint[])
  returns record
  language plpgsql volatile;
create function drop_list_entries(ids bigint[], referring bigint[])
  returns void
  language plpgsql volatile;
create function drop_members(keeper document, members bigint[], caller caller)
  returns void
  language plpgsql volatile;
create function drop_quads(graph bigint, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function drop_quads_of_graphs(graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[])
  returns void
  language plpgsql volatile;
create function drop_references(ids bigint[], referring bigint[])
  returns void
  language plpgsql volatile;
create function end_creations(ids bigint[])
  returns void
  language plpgsql volatile
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function end_memberships(container bigint, relation bigint, members bigint[])
  returns bigint[]
  language plpgsql volatile;
create function end_web_session(hash bytea)
  returns text
  language plpgsql volatile security definer;
create function end_web_sessions(agent text, id uuid, kept bytea)
  returns bigint
  language plpgsql volatile security definer;
create function enter_parent(id bigint, parent document, caller caller)
  returns void
  language plpgsql volatile;
create function expire_changes(portion integer)
  returns bigint
  language plpgsql volatile security definer;
create function export_changes()
  returns refcursor
  language plpgsql volatile;
create function export_graphs(ids bigint[], row_limit integer)
  returns TABLE(id bigint, quads bytea, members bytea)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function export_head()
  returns json
  language plpgsql stable;
create function export_large_graph(id bigint)
  returns refcursor
  language plpgsql volatile;
create function export_names()
  returns refcursor
  language plpgsql volatile;
create function export_states()
  returns refcursor
  language plpgsql volatile;
create function export_time("time" timestamp with time zone)
  returns text
  language sql immutable;
create function fail_follow(id bigint, holder uuid, reason text, wait_ms double precision)
  returns void
  language plpgsql volatile security definer;
create function fail_webhook(id bigint, holder uuid, place bigint, reason text, wait_ms double precision,
    state text)
  returns void
  language plpgsql volatile security definer;
create function find_api_key(hash bytea)
  returns TABLE(agent text, groups text[], modes text[], within text, expires timestamp with time zone,
    lasts_ms double precision)
  language plpgsql stable;
create function find_changes(after bigint, bound bigint, page integer, under text, actions text[],
    has_triples boolean, caller caller, OUT positions bigint[], OUT next bigint, OUT is_end boolean,
    OUT realms bigint[], OUT is_manager boolean)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function find_state(document bigint, tag bigint, at timestamp with time zone, OUT place bigint,
    OUT found_tag bigint, OUT found_at timestamp with time zone, OUT is_access_point boolean)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_sort=off;
create function find_web_session(hash bytea, idle_ms double precision)
  returns TABLE(agent text, groups text[], name text, is_key boolean, modes text[], within text,
    expires timestamp with time zone, lasts_ms double precision, is_due boolean, is_old boolean, is_copy boolean)
  language plpgsql stable;
create function finish_update(changed bigint[], touched bigint[], created bigint[], dropped bigint[],
    action text, caller caller DEFAULT NULL::caller)
  returns json
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function first_blank_node()
  returns bigint
  language sql immutable;
create function first_literal()
  returns bigint
  language sql immutable;
create function first_reference()
  returns bigint
  language sql immutable;
create function followed_tags(id bigint, iris text[])
  returns TABLE(iri text, tag text)
  language plpgsql stable security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function forget_derived_members(container bigint, relation bigint, members bigint[])
  returns bigint[]
  language plpgsql volatile;
create function forget_search_words()
  returns void
  language plpgsql volatile security definer;
create function found_literals(kinds text[], texts text[], whole text, languages text[], filters jsonb,
    properties bigint[], type bigint, realms bigint[], OUT ids bigint[], OUT scores numeric[],
    OUT is_complete boolean)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan;
create function gather_search_words(literal_limit integer)
  returns boolean
  language plpgsql volatile security definer
  set enable_seqscan=off set jit=off;
create function granted_realms(grantees text[], mode text)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function granting_path(iri text)
  returns text[]
  language plpgsql stable;
create function grants_etag(own json, inherits boolean)
  returns text
  language sql immutable;
create function graph_of_blank_node(id bigint)
  returns bigint
  language plpgsql stable strict;
create function graph_row(graph bigint, subject bigint, predicate bigint, object bigint)
  returns TABLE(at tid)
  language sql stable;
create function graph_to_read(iri text, is_silent boolean, created bigint[], caller caller)
  returns bigint
  language plpgsql stable;
create function graph_to_write(iri text, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql stable security definer;
create function graphs_of_triples(subjects bigint[], predicates bigint[], objects bigint[])
  returns TABLE(n bigint, g bigint)
  language plpgsql stable;
create function graphs_with(ids bigint[])
  returns bigint[]
  language plpgsql volatile;
create function has_access(iri text, needs text[], grantees text[])
  returns boolean
  language plpgsql stable;
create function has_document(iri text, need text DEFAULT 'read'::text, caller caller DEFAULT NULL::caller)
  returns boolean
  language plpgsql stable;
create function has_ended_by(transaction bigint, at timestamp with time zone)
  returns boolean
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function has_modes(modes text[], needs text[])
  returns boolean
  language sql immutable;
create function has_object_between(predicate bigint, low bigint, high bigint)
  returns boolean
  language sql stable;
create function has_raw_graph(iri text, caller caller DEFAULT NULL::caller)
  returns boolean
  language plpgsql stable security definer;
create function have_copies(predicates bigint[])
  returns boolean
  language plpgsql stable;
create function hold_deletions(is_alone boolean)
  returns void
  language plpgsql volatile;
create function hold_document(iri text, caller caller DEFAULT NULL::caller)
  returns void
  language plpgsql volatile security definer;
create function hold_documents(ids bigint[])
  returns bigint[]
  language plpgsql volatile;
create function hold_follow(id bigint, holder uuid, hold_ms integer, behind bigint, is_current boolean)
  returns boolean
  language plpgsql volatile security definer;
create function hold_group(iris text[], caller caller DEFAULT NULL::caller)
  returns void
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function hold_names()
  returns void
  language plpgsql volatile security definer;
create function hold_parent(follow follow, iri text, relation text)
  returns document
  language plpgsql volatile;
create function hold_place()
  returns void
  language plpgsql volatile;
create function hold_plain_parents(INOUT iris text[], OUT ids bigint[], OUT relations bigint[],
    OUT realms bigint[])
  returns record
  language plpgsql volatile;
create function hold_referring_members(iri text, members text[])
  returns void
  language plpgsql volatile;
create function hold_states(INOUT ids bigint[], OUT revisions bigint[])
  returns record
  language plpgsql volatile security definer;
create function import_changed()
  returns bigint[]
  language plpgsql volatile;
create function import_check(replaces bigint)
  returns void
  language plpgsql volatile;
create function import_copies()
  returns void
  language plpgsql volatile
  set work_mem=256MB;
create function import_documents(existing text)
  returns bigint
  language plpgsql volatile
  set work_mem=64MB;
create function import_early_index()
  returns void
  language plpgsql volatile;
create function import_finish_tables()
  returns void
  language plpgsql volatile;
create function import_gone_terms(number integer)
  returns text[]
  language plpgsql volatile;
create function import_grants(old pg_class, new text)
  returns void
  language plpgsql volatile;
create function import_graphs()
  returns bigint
  language plpgsql volatile;
create function import_history()
  returns void
  language plpgsql volatile;
create function import_history_end(head json)
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_indexes()
  returns void
  language plpgsql volatile
  set maintenance_work_mem=256MB;
create function import_instant(id bigint)
  returns timestamp with time zone
  language sql immutable;
create function import_is_empty()
  returns boolean
  language plpgsql volatile;
create function import_is_overtaken()
  returns boolean
  language plpgsql volatile;
create function import_is_replaceable()
  returns boolean
  language plpgsql volatile;
create function import_links()
  returns void
  language plpgsql volatile;
create function import_lock(wait_ms integer)
  returns boolean
  language plpgsql volatile;
create function import_log(ids bigint[])
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_make_room()
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_memberships()
  returns void
  language plpgsql volatile;
create function import_merge(first_new bigint)
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_old_rows()
  returns void
  language plpgsql volatile;
create function import_open()
  returns void
  language plpgsql volatile;
create function import_put(first_new bigint)
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_refuse(id bigint, reason text)
  returns void
  language plpgsql volatile;
create function import_renumber()
  returns void
  language plpgsql volatile
  set work_mem=128MB;
create function import_replace(last_term bigint, last_blank_node bigint, wait_ms integer)
  returns text
  language plpgsql volatile;
create function import_restage()
  returns void
  language plpgsql volatile;
create function import_service_triples()
  returns void
  language plpgsql volatile;
create function import_show(id bigint)
  returns text
  language plpgsql volatile;
create function import_sort()
  returns void
  language plpgsql volatile
  set work_mem=128MB set enable_hashagg=off;
create function import_staging()
  returns void
  language plpgsql volatile;
create function import_table(old text)
  returns void
  language plpgsql volatile;
create function import_tables(OUT next_term bigint, OUT next_blank_node bigint, OUT has_blank_nodes boolean)
  returns record
  language plpgsql volatile;
create function import_terms()
  returns bigint
  language plpgsql volatile
  set work_mem=128MB;
create function import_users()
  returns TABLE(id oid, is_own boolean, definition text)
  language plpgsql stable;
create function indexed_literals(query tsquery, literal_limit integer)
  returns TABLE(id bigint, length integer, lang text)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_indexscan=off
    set max_parallel_workers_per_gather=0 set work_mem=16MB;
create function inherit_realms(ids bigint[])
  returns void
  language plpgsql volatile;
create function inline_clock(at timestamp without time zone, format text)
  returns text
  language plpgsql immutable strict;
create function inline_datatype(id bigint)
  returns text
  language sql immutable;
create function inline_decimal(millionths bigint, digits integer)
  returns text
  language sql immutable;
create function inline_fine(id bigint)
  returns double precision
  language sql immutable;
create function inline_fine_form(value double precision)
  returns text
  language sql immutable;
create function inline_instant(at timestamp with time zone)
  returns bigint
  language sql stable;
create function inline_lexical_form(id bigint)
  returns text
  language sql immutable;
create function inline_scientific(millionths bigint, form integer)
  returns text
  language plpgsql immutable strict;
create function inline_zone(code integer)
  returns text
  language sql immutable;
create function inline_zone_code(id bigint)
  returns bigint
  language sql immutable;
create function intern_terms(keys text[])
  returns bigint[]
  language plpgsql volatile;
create function inverse_relation(id bigint)
  returns bigint
  language plpgsql stable;
create function iri_ids(iris text[])
  returns bigint[]
  language plpgsql stable;
create function iri_page(iri text, triple_limit integer, mention_limit integer,
    caller caller DEFAULT NULL::caller, OUT subjects bigint[], OUT predicates bigint[], OUT objects bigint[],
    OUT term_ids bigint[], OUT term_texts json, OUT mentions json)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function is_blank_node(id bigint)
  returns boolean
  language sql immutable;
create function is_change_readable(realms bigint[], is_manager boolean, document bigint, realm bigint)
  returns boolean
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function is_free_child(iri text, caller caller)
  returns boolean
  language plpgsql stable;
create function is_in_graph(graph bigint, subject bigint, predicate bigint, object bigint)
  returns boolean
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function is_in_realms(document bigint, realms bigint[])
  returns boolean
  language plpgsql stable;
create function is_reserved(is_access_point boolean, predicate bigint, object bigint)
  returns boolean
  language sql stable;
create function is_segment(name text)
  returns boolean
  language plpgsql immutable;
create function is_unsaid(id bigint)
  returns boolean
  language plpgsql volatile;
create function keep_answer(agent text, key text, request_hash bytea, lasts_ms double precision,
    status integer, headers jsonb, body bytea)
  returns void
  language plpgsql volatile security definer;
create function keep_changes(period text)
  returns void
  language plpgsql volatile security definer;
create function keep_memberships(graph bigint, predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function keep_number(number bigint)
  returns void
  language plpgsql volatile;
create function keep_state(document bigint, place bigint, spacing integer, reach bigint)
  returns void
  language plpgsql volatile
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function keep_states(portion integer, spacing integer DEFAULT 1000)
  returns bigint
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function kept_answer_id(agent text, key text)
  returns bytea
  language sql immutable;
create function key_datatype(key text)
  returns text
  language sql immutable;
create function key_language(key text)
  returns text
  language sql immutable;
create function labels_of(iris text[], properties text[], languages text[],
    caller caller DEFAULT NULL::caller)
  returns json
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function ldp_basic_container()
  returns bigint
  language sql immutable;
create function ldp_contains()
  returns bigint
  language sql immutable;
create function ldp_direct_container()
  returns bigint
  language sql immutable;
create function ldp_has_member_relation()
  returns bigint
  language sql immutable;
create function ldp_inserted_content_relation()
  returns bigint
  language sql immutable;
create function ldp_is_member_of_relation()
  returns bigint
  language sql immutable;
create function ldp_member()
  returns bigint
  language sql immutable;
create function ldp_member_subject()
  returns bigint
  language sql immutable;
create function ldp_membership_resource()
  returns bigint
  language sql immutable;
create function ldp_rdf_source()
  returns bigint
  language sql immutable;
create function leading_literals(query tsquery, whole text, is_open boolean, is_exact boolean,
    literal_limit integer)
  returns TABLE(id bigint, length integer, lang text)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_indexscan=off
    set max_parallel_workers_per_gather=0 set work_mem=16MB;
create function leave_parent(document document)
  returns void
  language plpgsql volatile;
create function list_api_keys(of_agent text, with_id text)
  returns TABLE(id text, agent text, groups text[], name text, modes text[], within text,
    created timestamp with time zone, expires timestamp with time zone, last_used timestamp with time zone,
    is_expired boolean)
  language plpgsql stable;
create function list_entries(ids bigint[], referring bigint[], OUT graphs bigint[], OUT cells bigint[],
    OUT nexts bigint[])
  returns record
  language plpgsql volatile;
create function list_follows()
  returns TABLE(id text, url text, path text, has_key boolean, created timestamp with time zone,
    "position" text, documents bigint, failures integer, next_attempt timestamp with time zone,
    last_failure timestamp with time zone, last_reason text, current_at timestamp with time zone, behind text)
  language plpgsql stable security definer;
create function list_grants(iri text)
  returns TABLE(document text, grantee text, modes text[], expires text, is_expired boolean)
  language plpgsql stable;
create function list_raw_graphs()
  returns TABLE(iri text, quads bigint, bytes bigint)
  language plpgsql stable;
create function list_web_sessions(agent text, hash bytea, idle_ms double precision)
  returns TABLE(id uuid, client text, is_key boolean, begun timestamp with time zone,
    used timestamp with time zone, ends timestamp with time zone, is_own boolean)
  language plpgsql stable;
create function list_webhooks()
  returns TABLE(id text, url text, agent text, groups text[], under text, actions text[],
    created timestamp with time zone, "position" text, state text, failures integer,
    next_attempt timestamp with time zone, last_delivery timestamp with time zone,
    last_failure timestamp with time zone, last_reason text)
  language plpgsql stable;
create function lock_container(iri text)
  returns document
  language plpgsql volatile;
create function lock_descendants(id bigint)
  returns bigint[]
  language plpgsql volatile;
create function lock_document(iri text, is_going boolean DEFAULT false)
  returns document
  language plpgsql volatile;
create function lock_grants(iri text, if_match text, caller caller, OUT locked document, OUT etag text)
  returns record
  language plpgsql volatile;
create function lock_primaries(INOUT subjects bigint[], INOUT predicates bigint[], INOUT objects bigint[])
  returns record
  language plpgsql volatile;
create function lock_referring(ids bigint[], realms bigint[], waits boolean)
  returns bigint[]
  language plpgsql volatile;
create function log_changes(action text, ids bigint[], befores bigint[], caller caller)
  returns void
  language plpgsql volatile;
create function log_created(ids bigint[], callers caller[], graphs bigint[], subjects bigint[],
    predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function log_deleted(ids bigint[], befores bigint[], parents bigint[], relations bigint[],
    realms bigint[], points boolean[], caller caller, graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[])
  returns void
  language plpgsql volatile;
create function log_graphs(action text, ids bigint[])
  returns void
  language plpgsql volatile;
create function log_memberships(is_added boolean, container bigint, relation bigint, members bigint[])
  returns void
  language plpgsql volatile;
create function log_names(ids bigint[])
  returns void
  language plpgsql volatile;
create function log_places(ids bigint[], parents bigint[], relations bigint[])
  returns void
  language plpgsql volatile;
create function log_quads(is_added boolean, graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[])
  returns void
  language plpgsql volatile;
create function log_touched(action text, ids bigint[], befores bigint[], olds bigint[], news bigint[],
    caller caller)
  returns void
  language plpgsql volatile;
create function low_bits(number bigint)
  returns integer
  language sql immutable;
create function matching_literals(query tsquery, patterns text[], certain text[], whole text, is_open boolean,
    within bigint[], frequency double precision, is_frequent boolean, properties bigint[], literal_limit integer)
  returns TABLE(id bigint, is_first boolean, length integer, lang text)
  language plpgsql stable;
create function member_relations()
  returns bigint[]
  language plpgsql stable;
create function members_page(access_point bigint, after bigint, page_size integer)
  returns json
  language plpgsql stable;
create function merge_search_index()
  returns bigint
  language plpgsql volatile security definer;
create function missing_from(graph bigint, INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[])
  returns record
  language plpgsql volatile;
create function most_frequent(kind text, value_limit integer)
  returns TABLE(iri text, number bigint)
  language plpgsql stable;
create function move_document(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, target text, overwrites boolean,
    redirects_for interval DEFAULT NULL::interval, caller caller DEFAULT NULL::caller, OUT is_created boolean,
    OUT etag text, OUT modified timestamp with time zone)
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function move_realms(ids bigint[], old_realm bigint, new_realm bigint)
  returns void
  language plpgsql volatile;
create function move_scopes(prefix text, target text)
  returns void
  language plpgsql volatile
  set enable_seqscan=on;
create function move_terms(ids bigint[], iris text[], prefix text, target text, referring bigint[],
    realms bigint[])
  returns void
  language plpgsql volatile;
create function moved_to(iri text, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql stable;
create function name_at(id bigint, place bigint)
  returns text
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function names_at(ids bigint[], place bigint)
  returns json
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function new_nodes(graphs bigint[], subjects bigint[], objects bigint[], nodes bigint[])
  returns bigint[]
  language plpgsql volatile;
create function node_pairs(nodes bigint[])
  returns TABLE(g bigint, id bigint, there bigint)
  language plpgsql immutable;
create function nodes_there(graphs bigint[], ids bigint[], nodes bigint[])
  returns bigint[]
  language plpgsql volatile;
create function note_key_uses(hashes bytea[], ages_ms double precision[])
  returns void
  language plpgsql volatile security definer;
create function note_move(iri text, target text, keeps interval)
  returns void
  language plpgsql volatile;
create function object_extent(predicate bigint)
  returns TABLE(low bigint, high bigint)
  language sql stable;
create function object_gap(predicate bigint)
  returns TABLE(inline_high bigint, stored_low bigint)
  language sql stable;
create function object_of(subject bigint, predicate bigint, subjects bigint[], predicates bigint[],
    objects bigint[])
  returns bigint
  language plpgsql immutable;
create function open_dataset(base text, default_base text, platform_ns text)
  returns text
  language plpgsql volatile security definer;
create function open_graph(graph bigint)
  returns refcursor
  language plpgsql volatile
  set enable_seqscan=off;
create function open_past(at timestamp with time zone, closed bigint DEFAULT 0, most integer DEFAULT 2000000,
    OUT first bigint, OUT is_renamed boolean, OUT relations bigint[], OUT differing bigint)
  returns record
  language plpgsql stable;
create function open_realm(head document)
  returns void
  language plpgsql volatile;
create function own_object(document bigint, property bigint)
  returns bigint
  language plpgsql stable;
create function own_quads(ids bigint[], OUT graphs bigint[], OUT subjects bigint[], OUT predicates bigint[],
    OUT objects bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function parent_document(iri text)
  returns document
  language plpgsql volatile;
create function parent_iri(iri text)
  returns text
  language sql immutable;
create function parent_sample(part double precision)
  returns TABLE(parent bigint, page bigint)
  language plpgsql stable security definer;
create function past_changes(first bigint, ended bigint[], ids bigint[], gone_at bigint[], is_there boolean[],
    parents bigint[], relations bigint[], most integer, OUT g bigint[], OUT s bigint[], OUT p bigint[],
    OUT o bigint[], OUT was_there boolean[])
  returns record
  language plpgsql stable
  set work_mem=64MB set jit=off;
create function past_hash(s bigint, p bigint, o bigint, seed bigint)
  returns bigint
  language sql immutable;
create function past_id(key text, first bigint)
  returns bigint
  language plpgsql stable;
create function past_ids(first bigint, keys text[])
  returns TABLE(key text, id bigint)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function past_places(first bigint, ended bigint[], closed bigint, most integer, OUT id bigint[],
    OUT gone_at bigint[], OUT is_there boolean[], OUT parent bigint[], OUT member_by bigint[], OUT realm bigint[],
    OUT parent_key bigint[], OUT parent_row integer[])
  returns record
  language plpgsql stable
  set work_mem=64MB set jit=off;
create function past_quads()
  returns TABLE(g bigint, s bigint, p bigint, o bigint, copy boolean)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan;
create function past_read(query text, parameters text[], cursor_name text)
  returns void
  language plpgsql volatile
  set work_mem=64MB set plan_cache_mode=force_generic_plan set enable_nestloop=off;
create function past_rows(graphs bigint[], subjects bigint[], predicates bigint[], objects bigint[],
    were_there boolean[], ids bigint[], are_there boolean[], parents bigint[], relations bigint[], OUT s bigint[],
    OUT p bigint[], OUT o bigint[], OUT g bigint[], OUT is_copy boolean[], OUT seed bigint, OUT hash_key bigint[],
    OUT hash_row integer[])
  returns record
  language plpgsql stable
  set work_mem=64MB set jit=off set plan_cache_mode=force_generic_plan set enable_seqscan=off
    set enable_nestloop=off;
create function patch_document(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, keys text[], removed_subjects bigint[],
    removed_predicates bigint[], removed_objects bigint[], added_subjects bigint[], added_predicates bigint[],
    added_objects bigint[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function permitted_iris(iris text[], needs text[], callers caller[])
  returns text[]
  language plpgsql stable;
create function place_before(iri text, after bigint, page_size integer, caller caller DEFAULT NULL::caller)
  returns bigint
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function place_before(logged change)
  returns bigint
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function place_copy(follow follow, id bigint, iri text, parent text, relation text,
    is_access_point boolean)
  returns void
  language plpgsql volatile;
create function plain_part(INOUT documents bigint[], parents text[], graphs integer[], subjects bigint[],
    predicates bigint[], objects bigint[], held text[], ids bigint[], INOUT is_new boolean[])
  returns record
  language plpgsql volatile;
create function plain_term(id bigint)
  returns text
  language plpgsql stable;
create function plain_text(written text)
  returns text
  language sql immutable;
create function plan_for(length integer)
  returns void
  language plpgsql volatile;
create function plan_terms(keys text[], documents bigint[], OUT ids bigint[], OUT is_new boolean[],
    OUT is_plain boolean, OUT blank_nodes bigint[])
  returns record
  language plpgsql volatile;
create function platform_access_point()
  returns bigint
  language sql immutable;
create function platform_created()
  returns bigint
  language sql immutable;
create function platform_document()
  returns bigint
  language sql immutable;
create function platform_has_access_point()
  returns bigint
  language sql immutable;
create function platform_modified()
  returns bigint
  language sql immutable;
create function primary_row(subject bigint, predicate bigint, object bigint)
  returns TABLE(at tid, g bigint)
  language sql stable;
create function promote_copies(subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function property_heads(document bigint, value_limit integer, property_limit integer,
    other_limit integer, OUT subjects bigint[], OUT predicates bigint[], OUT objects bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function property_values(document bigint, property bigint, after bigint, page_size integer)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function prune_grants()
  returns integer
  language plpgsql volatile security definer;
create function put_below(document document, ids bigint[], parent text, caller caller)
  returns void
  language plpgsql volatile;
create function put_copied_quads(ids bigint[], copies bigint[], terms bigint[], others bigint[],
    now timestamp with time zone)
  returns void
  language plpgsql volatile;
create function put_difference(graph bigint, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function put_grants(iri text, grantees text[], modes text[], expires timestamp with time zone[],
    inherits boolean, if_match text, keeps_control boolean, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql volatile security definer;
create function put_graph(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, keys text[], subjects bigint[], predicates bigint[],
    objects bigint[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function put_members(keeper document, members bigint[], caller caller)
  returns void
  language plpgsql volatile;
create function put_new_quads(graph bigint, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function put_plain_quads(documents bigint[], ids bigint[], instant bigint, graphs integer[],
    subjects bigint[], predicates bigint[], objects bigint[], OUT put_graphs bigint[], OUT put_predicates bigint[],
    OUT put_objects bigint[])
  returns record
  language plpgsql volatile;
create function put_quads(graph bigint, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function put_quads_of_graphs(graphs bigint[], subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function put_shared_quads(graph bigint, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function quad_sample(part double precision)
  returns TABLE(g bigint, s bigint, p bigint, o bigint, copy boolean, page bigint)
  language plpgsql stable security definer;
create function quads_about(graph bigint, subject bigint)
  returns TABLE(s bigint, p bigint, o bigint)
  language sql stable;
create function quads_to(graph bigint, object bigint)
  returns TABLE(s bigint, p bigint, o bigint)
  language sql stable;
create function raise_missing(iri text)
  returns void
  language plpgsql stable;
create function raise_missing_parent(iri text)
  returns void
  language plpgsql stable;
create function raise_refused(iri text, needs text[], grantees text[])
  returns void
  language plpgsql stable;
create function raise_unknown_graph(iri text)
  returns void
  language plpgsql stable;
create function raw_graph_numbers(count_limit integer)
  returns TABLE(name text, number bigint, is_exact boolean)
  language plpgsql stable;
create function rdf_first()
  returns bigint
  language sql immutable;
create function rdf_nil()
  returns bigint
  language sql immutable;
create function rdf_rest()
  returns bigint
  language sql immutable;
create function rdf_type()
  returns bigint
  language sql immutable;
create function reach_number(sequence text, number bigint)
  returns void
  language plpgsql volatile;
create function read_changes(after bigint, page integer, under text DEFAULT NULL::text,
    actions text[] DEFAULT NULL::text[], has_triples boolean DEFAULT false, caller caller DEFAULT NULL::caller)
  returns TABLE(next text, is_end boolean, term_ids bigint[], term_texts json, "position" text,
    "time" timestamp with time zone, action text, document text, old_document text, parent text, member_by text,
    is_access_point boolean, is_raw boolean, before text, etag text, agent text, request_id text, added_s bigint[],
    added_p bigint[], added_o bigint[], removed_s bigint[], removed_p bigint[], removed_o bigint[],
    is_large boolean, is_renamed boolean, names json, old_names json, access_points text[])
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_documents(iris text[], known text[] DEFAULT NULL::text[],
    quad_limits integer[] DEFAULT NULL::integer[], listed_after bigint[] DEFAULT NULL::bigint[],
    page_sizes integer[] DEFAULT NULL::integer[], callers caller[] DEFAULT NULL::caller[])
  returns SETOF document_state
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_grants(iri text, caller caller DEFAULT NULL::caller, OUT own json, OUT inherited json,
    OUT inherits boolean, OUT etag text, OUT withheld integer)
  returns record
  language plpgsql stable;
create function read_grants_below(iri text, after text, head_limit integer,
    caller caller DEFAULT NULL::caller)
  returns TABLE(document text, grantee text, modes text[], expires text, is_expired boolean)
  language plpgsql stable;
create function read_graph(graph_rows refcursor, batch_size integer, OUT subjects bigint[],
    OUT predicates bigint[], OUT objects bigint[], OUT term_ids bigint[], OUT term_texts json)
  returns record
  language plpgsql volatile;
create function read_page(iri text, children_after bigint, page_size integer, count_limit integer,
    mention_limit integer, quad_limit integer, value_limit integer, property_limit integer, other_limit integer,
    caller caller DEFAULT NULL::caller, OUT state document_state, OUT is_part boolean, OUT child_count integer,
    OUT points json, OUT mentions json)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_present(walked bigint[], page integer, under text DEFAULT NULL::text,
    caller caller DEFAULT NULL::caller)
  returns TABLE(next text, term_ids bigint[], term_texts json, document text, parent text, member_by text,
    is_access_point boolean, modified timestamp with time zone, etag text, subjects bigint[], predicates bigint[],
    objects bigint[], is_large boolean)
  language plpgsql stable security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_state(iri text, tag bigint, at timestamp with time zone, has_triples boolean,
    caller caller DEFAULT NULL::caller, OUT etag text, OUT "time" timestamp with time zone,
    OUT is_access_point boolean, OUT subjects bigint[], OUT predicates bigint[], OUT objects bigint[],
    OUT term_ids bigint[], OUT term_texts json, OUT names json, OUT around json)
  returns record
  language plpgsql stable security definer;
create function read_states(places bigint[], caller caller DEFAULT NULL::caller)
  returns TABLE("position" text, is_large boolean, before_s bigint[], before_p bigint[], before_o bigint[],
    after_s bigint[], after_p bigint[], after_o bigint[], term_ids bigint[], term_texts json, before_names json,
    after_names json)
  language plpgsql stable security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_versions(after bigint, until bigint, has_triples boolean,
    caller caller DEFAULT NULL::caller)
  returns TABLE("position" text, "time" timestamp with time zone, document text, old_document text,
    before text, tag text, agent text, is_large boolean, subjects bigint[], predicates bigint[], objects bigint[],
    term_ids bigint[], term_texts json, names json)
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function read_written(id bigint, quad_limit integer)
  returns SETOF document_state
  language plpgsql volatile security definer;
create function realm_at(iri text, base text)
  returns bigint
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function realms_below(heads bigint[], isolated boolean)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function realms_left_out(heads bigint[])
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function rebase_dataset(new_base text)
  returns bigint
  language plpgsql volatile
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function recall_answer(agent text, key text, request_hash bytea, lasts_ms double precision)
  returns TABLE(status integer, headers jsonb, body bytea)
  language plpgsql volatile security definer;
create function recent_strings(properties bigint[], string_limit integer)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_bitmapscan=off;
create function record_change(action text, document bigint, before text, after text, caller caller,
    iri text DEFAULT NULL::text)
  returns void
  language plpgsql volatile;
create function referred_ids(is_added boolean[], graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[], keys text[], own_ids bigint[], own_keys text[], OUT refs bigint[], OUT ids bigint[])
  returns record
  language plpgsql volatile;
create function relations_with(inverse bigint, container bigint)
  returns bigint[]
  language plpgsql stable;
create function remove_api_key(prefix text, agent text, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql volatile security definer;
create function remove_copies(follow follow, id bigint)
  returns bigint[]
  language plpgsql volatile;
create function remove_documents(ids bigint[], caller caller, deleted bigint[] DEFAULT '{}'::bigint[],
    waits boolean DEFAULT true)
  returns bigint[]
  language plpgsql volatile;
create function remove_follow(id bigint)
  returns void
  language plpgsql volatile security definer;
create function remove_grant(iri text, grantee text, expires timestamp with time zone, if_match text,
    keeps_control boolean, caller caller DEFAULT NULL::caller)
  returns text
  language plpgsql volatile security definer;
create function remove_members(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, members text[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function remove_raw_graphs(iris text[])
  returns bigint
  language plpgsql volatile
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function remove_rows(ids bigint[], caller caller, deleted bigint[], has_copies boolean)
  returns void
  language plpgsql volatile;
create function remove_webhook(id bigint)
  returns void
  language plpgsql volatile security definer;
create function rename_agents(prefix text, target text)
  returns void
  language plpgsql volatile
  set enable_seqscan=on;
create function rename_terms(ids bigint[], names text[])
  returns void
  language plpgsql volatile;
create function replace_document(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, keys text[], subjects bigint[], predicates bigint[],
    objects bigint[], caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function replace_graph(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, may_omit boolean, keys text[], subjects bigint[],
    predicates bigint[], objects bigint[], caller caller)
  returns written
  language plpgsql volatile;
create function replace_ids(ids bigint[], others bigint[], graphs bigint[])
  returns void
  language plpgsql volatile;
create function replay_changes(document bigint, place bigint, until bigint, backwards boolean,
    INOUT subjects bigint[], INOUT predicates bigint[], INOUT objects bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function require_access(iri text, needs text[], caller caller,
    rule text DEFAULT 'document-exists'::text)
  returns void
  language plpgsql stable;
create function require_below(iri text, need text, grantees text[])
  returns void
  language plpgsql stable;
create function require_container(keeper document, need text, grantees text[])
  returns void
  language plpgsql stable;
create function require_droppable(ids bigint[], created bigint[], grantees text[])
  returns void
  language plpgsql stable;
create function require_free_child(iri text, caller caller)
  returns void
  language plpgsql stable;
create function require_free_iri(iri text, caller caller DEFAULT NULL::caller)
  returns void
  language plpgsql stable security definer;
create function require_fresh()
  returns bigint
  language plpgsql volatile;
create function require_graphs(graphs bigint[], created bigint[], caller caller)
  returns void
  language plpgsql stable;
create function require_history(iri text, caller caller)
  returns bigint
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function require_inverse(keeper document, held bigint[], grantees text[])
  returns void
  language plpgsql stable;
create function require_kept(after bigint)
  returns void
  language plpgsql stable;
create function require_known(members text[], held bigint[], grantees text[])
  returns void
  language plpgsql stable;
create function require_loadable(graph text, caller caller DEFAULT NULL::caller)
  returns void
  language plpgsql stable security definer;
create function require_membership_shape(id bigint)
  returns void
  language plpgsql stable;
create function require_movable(document document, iri text, verb text)
  returns void
  language plpgsql stable;
create function require_own_grants(ids bigint[], iri text, parent text, caller caller)
  returns void
  language plpgsql stable;
create function require_past(at timestamp with time zone, OUT first bigint, OUT ended bigint[])
  returns record
  language plpgsql stable
  set work_mem=64MB set jit=off;
create function require_reserved(document document, subjects bigint[], predicates bigint[], objects bigint[])
  returns void
  language plpgsql volatile;
create function require_state(document document, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone)
  returns void
  language plpgsql stable;
create function require_unfollowed(ids bigint[])
  returns void
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function require_unreserved(is_removal boolean, graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[])
  returns void
  language plpgsql volatile;
create function resolve_terms(graph bigint, keys text[])
  returns bigint[]
  language plpgsql volatile;
create function resolved_quads(is_added boolean[], graphs bigint[], subjects bigint[], predicates bigint[],
    objects bigint[], refs bigint[], ids bigint[], OUT removed_graphs bigint[], OUT removed_subjects bigint[],
    OUT removed_predicates bigint[], OUT removed_objects bigint[], OUT added_graphs bigint[],
    OUT added_subjects bigint[], OUT added_predicates bigint[], OUT added_objects bigint[])
  returns record
  language plpgsql volatile;
create function restart_follow(id bigint)
  returns void
  language plpgsql volatile security definer;
create function restorable_quads(document document, INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[])
  returns record
  language plpgsql stable;
create function restore_document(iri text, if_match text[], if_none_match text[],
    if_unmodified_since timestamp with time zone, tag bigint, caller caller DEFAULT NULL::caller)
  returns written
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function retry_webhook(id bigint, is_skipping boolean)
  returns void
  language plpgsql volatile security definer;
create function revisions_of(ids bigint[])
  returns TABLE(id bigint, revision bigint)
  language plpgsql stable;
create function sample_literals(part double precision)
  returns TABLE(lex text)
  language plpgsql stable security definer;
create function search_certain_pattern(kind text, words text)
  returns text
  language sql immutable;
create function search_config(lang text)
  returns regconfig
  language plpgsql immutable;
create function search_documents(kinds text[], texts text[], whole text, languages text[], labels text[],
    filters jsonb, by_date boolean, skip integer, page_size integer, caller caller DEFAULT NULL::caller,
    OUT total integer, OUT is_complete boolean, OUT hits json)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan;
create function search_frequency(kinds text[], texts text[], languages text[])
  returns double precision
  language plpgsql stable security definer;
create function search_index_state(OUT is_there boolean, OUT is_usable boolean)
  returns record
  language plpgsql stable;
create function search_lead(searched text)
  returns text
  language sql immutable;
create function search_literals(kinds text[], texts text[], whole text, languages text[], range text,
    within bigint[], frequency double precision, properties bigint[], literal_limit integer, OUT ids bigint[],
    OUT scores numeric[], OUT is_complete boolean)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function search_part(properties bigint[], type bigint, under text, realms bigint[], part_limit integer,
    string_limit integer)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function search_pattern(kind text, words text)
  returns text
  language sql immutable;
create function search_query(kinds text[], texts text[], languages text[])
  returns tsquery
  language plpgsql stable
  set client_min_messages=warning;
create function search_text(value text)
  returns text
  language plpgsql immutable;
create function search_triples(literals bigint[], properties bigint[], type bigint, under text,
    realms bigint[], triple_limit integer)
  returns TABLE(g bigint, s bigint, p bigint, o bigint, n bigint)
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_hashjoin=off
    set enable_mergejoin=off set enable_sort=off;
create function search_vector(plain text, lang text)
  returns tsvector
  language plpgsql immutable;
create function search_words(lex text, lang text)
  returns tsvector
  language plpgsql immutable;
create function set_membership(document document, relation bigint)
  returns void
  language plpgsql volatile;
create function settle_grants(locked document, etag text, iri text, inherits boolean, keeps_control boolean,
    caller caller)
  returns text
  language plpgsql volatile;
create function show_instant(instant timestamp with time zone)
  returns text
  language sql stable;
create function show_term(id bigint)
  returns text
  language plpgsql stable;
create function similar_words(words text[], word_limit integer)
  returns jsonb
  language plpgsql stable
  set enable_seqscan=off set plan_cache_mode=force_generic_plan;
create function similar_words_schema()
  returns text
  language sql stable;
create function single_modes(modes text[])
  returns text[]
  language sql immutable;
create function sparql_any_number(key text)
  returns numeric
  language plpgsql immutable;
create function sparql_arithmetic(operator text, left_key text, right_key text)
  returns text
  language plpgsql immutable;
create function sparql_as_double(id bigint)
  returns double precision
  language sql immutable;
create function sparql_average(integers numeric, decimals numeric, floats real, doubles double precision,
    others text, members bigint)
  returns text
  language sql immutable;
create function sparql_before(one text, other text)
  returns boolean
  language plpgsql immutable;
create function sparql_begun(lex text)
  returns text
  language plpgsql immutable;
create function sparql_beside(operator text, left_key text, right_key text)
  returns text
  language plpgsql immutable;
create function sparql_between(later_key text, earlier_key text)
  returns numeric
  language plpgsql immutable;
create function sparql_blank_node(label_key text, solution text)
  returns text
  language sql immutable;
create function sparql_boolean(value boolean)
  returns text
  language sql immutable;
create function sparql_bounded(value text)
  returns text
  language plpgsql immutable strict;
create function sparql_bytes(value text)
  returns bytea
  language plpgsql immutable strict;
create function sparql_canonical(key text)
  returns numeric
  language sql immutable;
create function sparql_canonical_double(key text)
  returns double precision
  language sql immutable;
create function sparql_canonical_exact(key text)
  returns numeric
  language sql immutable;
create function sparql_canonical_float(key text)
  returns double precision
  language sql immutable;
create function sparql_canonical_inexact(key text)
  returns double precision
  language sql immutable;
create function sparql_canonical_of(lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_case(operator text, key text)
  returns text
  language sql immutable;
create function sparql_cast(local_name text, key text)
  returns text
  language plpgsql immutable;
create function sparql_cast_number(local_name text, from_string text, key text, kind "char")
  returns text
  language plpgsql immutable;
create function sparql_cast_time(local_name text, lex text, key text)
  returns text
  language plpgsql immutable;
create function sparql_clock_day(clock bigint)
  returns date
  language sql immutable;
create function sparql_comparable(key text)
  returns numeric
  language sql immutable;
create function sparql_comparable(lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_compare(left_key text, right_key text)
  returns integer
  language plpgsql immutable;
create function sparql_compare_times(one text, other text, is_clocked boolean)
  returns integer
  language plpgsql immutable;
create function sparql_compatible(left_key text, right_key text)
  returns boolean
  language sql immutable;
create function sparql_concat(key text)
  returns text
  language sql immutable;
create function sparql_concat(one text, other text)
  returns text
  language plpgsql immutable;
create function sparql_concatenated(members bigint, texts bigint, size bigint, value text)
  returns text
  language plpgsql immutable;
create function sparql_containment()
  returns TABLE(p bigint, triples double precision, subjects double precision, objects double precision,
    of_same_subject double precision, of_same_object double precision, quantiles bigint[], subjects_at bigint[],
    frequent json)
  language plpgsql stable;
create function sparql_contains(value text, part text)
  returns boolean
  language sql immutable;
create function sparql_datatype(key text)
  returns text
  language sql immutable;
create function sparql_date_day(id bigint)
  returns date
  language sql immutable;
create function sparql_date_of(date_order bigint)
  returns bigint
  language sql immutable;
create function sparql_date_order(id bigint)
  returns bigint
  language sql immutable;
create function sparql_day_number(part text, day date)
  returns bigint
  language sql immutable;
create function sparql_day_start(id bigint)
  returns bigint
  language sql immutable;
create function sparql_day_time(seconds numeric)
  returns text
  language sql immutable;
create function sparql_decimal(value numeric)
  returns text
  language sql immutable;
create function sparql_decimal_form(value double precision)
  returns numeric
  language sql immutable;
create function sparql_decimal_form(value real)
  returns numeric
  language sql immutable;
create function sparql_decimal_of(id bigint)
  returns numeric
  language sql immutable;
create function sparql_decoded(value text)
  returns text
  language sql immutable;
create function sparql_different(found bigint, pages numeric, once bigint, part double precision)
  returns double precision
  language sql immutable;
create function sparql_digest(operator text, key text)
  returns text
  language plpgsql immutable;
create function sparql_double(value double precision)
  returns text
  language sql immutable;
create function sparql_double_by_key(key text)
  returns double precision
  language sql immutable;
create function sparql_double_of(lex text)
  returns double precision
  language sql immutable;
create function sparql_duration(lex text, local_name text)
  returns numeric[]
  language plpgsql immutable;
create function sparql_duration_form(months numeric, seconds numeric, local_name text)
  returns text
  language plpgsql immutable strict;
create function sparql_ebv(key text)
  returns boolean
  language plpgsql immutable;
create function sparql_encode(key text)
  returns text
  language plpgsql immutable;
create function sparql_encoded(value text)
  returns text
  language sql immutable;
create function sparql_ends(value text, ending text)
  returns boolean
  language sql immutable;
create function sparql_ends_with(value text, ending text)
  returns boolean
  language sql immutable;
create function sparql_equal(left_key text, right_key text)
  returns boolean
  language plpgsql immutable;
create function sparql_exact(key text)
  returns numeric
  language sql immutable;
create function sparql_exact_of(lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_extreme(operator text, inline_ids bigint[], simple text, tagged text[], typed text[],
    iri text, others text)
  returns text
  language plpgsql immutable;
create function sparql_facts(keys text[], valued integer[], by_graph integer[])
  returns TABLE(has_documents boolean, relations bigint[], ids bigint[], lows bigint[], highs bigint[],
    copied boolean[])
  language plpgsql stable;
create function sparql_facts_hold(names bigint, grantees text[], realms bigint[], has_documents boolean,
    relations bigint[], absent text[], predicates bigint[], lows bigint[], highs bigint[], uncopied bigint[])
  returns boolean
  language plpgsql stable;
create function sparql_family(key text)
  returns "char"
  language plpgsql immutable;
create function sparql_fine_decimal(id bigint)
  returns numeric
  language sql immutable;
create function sparql_fits(value numeric, local_name text)
  returns boolean
  language sql immutable;
create function sparql_float(value double precision)
  returns text
  language sql immutable;
create function sparql_float_arithmetic(operator text, a numeric, b numeric, rank integer)
  returns numeric
  language plpgsql immutable;
create function sparql_float_of(lex text)
  returns double precision
  language sql immutable;
create function sparql_float_result(operator text, a double precision, b double precision)
  returns double precision
  language sql immutable;
create function sparql_folded(value text)
  returns text
  language sql immutable;
create function sparql_frequencies()
  returns TABLE(p bigint, triples double precision, subjects double precision, objects double precision,
    of_same_subject double precision, of_same_object double precision, quantiles bigint[], subjects_at bigint[],
    frequent json)
  language plpgsql stable;
create function sparql_has_moment(lex text, local_name text)
  returns boolean
  language sql immutable;
create function sparql_has_zone(lex text)
  returns boolean
  language sql immutable;
create function sparql_holds(operator text, left_key text, right_key text)
  returns boolean
  language plpgsql immutable;
create function sparql_hours(clock bigint)
  returns numeric
  language sql immutable;
create function sparql_id(key text)
  returns bigint
  language plpgsql stable;
create function sparql_id_of_member(member numeric[])
  returns bigint
  language sql immutable;
create function sparql_id_rank(id bigint)
  returns integer
  language sql immutable;
create function sparql_inexact(key text)
  returns double precision
  language sql immutable;
create function sparql_inline_decimal(lex text, code integer)
  returns bigint
  language plpgsql immutable;
create function sparql_inline_fine(lex text, is_double boolean)
  returns bigint
  language plpgsql immutable;
create function sparql_inline_id(key text)
  returns bigint
  language plpgsql immutable;
create function sparql_inline_key(id bigint)
  returns text
  language sql immutable;
create function sparql_inline_lex(id bigint)
  returns text
  language sql immutable;
create function sparql_inline_rank(id bigint)
  returns integer
  language sql immutable;
create function sparql_inline_scientific(lex text)
  returns bigint
  language plpgsql immutable;
create function sparql_inline_seconds(id bigint)
  returns text
  language sql immutable;
create function sparql_inline_time(local_name text, lex text)
  returns bigint
  language plpgsql immutable;
create function sparql_inline_tz(id bigint)
  returns text
  language sql immutable;
create function sparql_inline_value(id bigint)
  returns numeric
  language sql immutable;
create function sparql_instant(lex text, local_name text, is_zoned boolean)
  returns numeric
  language sql immutable;
create function sparql_instant_of(id bigint, lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_integer(value numeric)
  returns text
  language sql immutable;
create function sparql_integer_of(id bigint)
  returns numeric
  language sql immutable;
create function sparql_iri(key text, base text)
  returns text
  language plpgsql immutable;
create function sparql_is_decimal(id bigint)
  returns boolean
  language sql immutable;
create function sparql_is_double(id bigint)
  returns boolean
  language sql immutable;
create function sparql_is_float(id bigint)
  returns boolean
  language sql immutable;
create function sparql_is_frequent(seen bigint, pages bigint, part double precision)
  returns boolean
  language sql immutable;
create function sparql_is_negative(key text, value numeric)
  returns boolean
  language sql immutable;
create function sparql_is_zoned(id bigint, lex text)
  returns boolean
  language sql immutable;
create function sparql_join_samples(from_subject boolean[], from_predicate bigint[], from_other bigint[],
    from_starts text[], to_subject boolean[], to_predicate bigint[], to_other bigint[], points integer,
    OUT means double precision[], OUT errors double precision[])
  returns record
  language plpgsql stable;
create function sparql_joined(size bigint, keys text[], separator text)
  returns text
  language plpgsql immutable;
create function sparql_key(id bigint)
  returns text
  language plpgsql stable;
create function sparql_key_of_member(member numeric[])
  returns text
  language plpgsql stable;
create function sparql_key_of_member(member text[])
  returns text
  language sql immutable;
create function sparql_kind(key text)
  returns text
  language sql immutable;
create function sparql_lang(key text)
  returns text
  language sql immutable;
create function sparql_lang_matches(tag_key text, range_key text)
  returns boolean
  language sql immutable;
create function sparql_large_graphs()
  returns TABLE(g bigint, quads double precision)
  language plpgsql stable;
create function sparql_later(key text, months numeric, seconds numeric)
  returns text
  language plpgsql immutable;
create function sparql_length(value text)
  returns integer
  language sql immutable;
create function sparql_lex(key text)
  returns text
  language sql immutable;
create function sparql_like(pieces text[], is_start boolean, is_end boolean)
  returns text
  language plpgsql immutable;
create function sparql_local_micro_time(id bigint)
  returns bigint
  language sql immutable;
create function sparql_local_time(id bigint)
  returns bigint
  language sql immutable;
create function sparql_lower(value text)
  returns text
  language sql immutable;
create function sparql_lower_ascii(value text)
  returns text
  language sql immutable;
create function sparql_match_key(key text)
  returns text
  language plpgsql immutable;
create function sparql_match_number(value double precision)
  returns double precision
  language sql immutable;
create function sparql_match_number(value numeric)
  returns double precision
  language sql immutable;
create function sparql_matches(value text, pattern text)
  returns boolean
  language plpgsql immutable;
create function sparql_max(key text)
  returns text
  language internal immutable;
create function sparql_max_combine(one text, other text)
  returns text
  language plpgsql immutable;
create function sparql_max_step(state text, key text)
  returns text
  language plpgsql immutable;
create function sparql_member(value double precision, key text)
  returns text[]
  language sql immutable;
create function sparql_microseconds(id bigint)
  returns bigint
  language sql immutable;
create function sparql_millionths(id bigint)
  returns bigint
  language sql immutable;
create function sparql_min(key text)
  returns text
  language internal immutable;
create function sparql_min_combine(one text, other text)
  returns text
  language plpgsql immutable;
create function sparql_min_step(state text, key text)
  returns text
  language plpgsql immutable;
create function sparql_minutes(clock bigint)
  returns numeric
  language sql immutable;
create function sparql_moderate(value double precision, size bigint)
  returns double precision
  language sql immutable;
create function sparql_moderate(value numeric, size bigint)
  returns double precision
  language sql immutable;
create function sparql_moderate_double(key text)
  returns double precision
  language sql immutable;
create function sparql_moderate_float(key text)
  returns double precision
  language sql immutable;
create function sparql_moment(lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_nearest(lex text, rank integer)
  returns numeric
  language sql immutable;
create function sparql_new_blank_node()
  returns bigint
  language plpgsql volatile security definer;
create function sparql_number(key text)
  returns numeric
  language sql immutable;
create function sparql_number_from(lex text, local_name text)
  returns text
  language sql immutable;
create function sparql_number_key(value numeric, rank integer)
  returns text
  language sql immutable;
create function sparql_number_of(lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_numeric(lex text)
  returns numeric
  language sql immutable;
create function sparql_numeric(value numeric)
  returns numeric
  language sql immutable;
create function sparql_of_millionths(millionths double precision)
  returns double precision
  language sql immutable;
create function sparql_of_millionths(sum numeric)
  returns numeric
  language sql immutable;
create function sparql_of_same(seen numeric, squares double precision, within double precision,
    part double precision)
  returns double precision
  language sql immutable;
create function sparql_open(query text, parameters text[], is_walked boolean, cursor_name text)
  returns void
  language plpgsql volatile;
create function sparql_open_if(names bigint, grantees text[], realms bigint[], has_documents boolean,
    relations bigint[], absent text[], predicates bigint[], lows bigint[], highs bigint[], uncopied bigint[],
    query text, parameters text[], is_walked boolean, cursor_name text)
  returns boolean
  language plpgsql volatile;
create function sparql_order_apart(apart numeric, one text, other text)
  returns integer
  language sql immutable;
create function sparql_order_key(id bigint, OUT rank integer, OUT value numeric, OUT bytes bytea)
  returns record
  language plpgsql stable strict;
create function sparql_order_rank(key text)
  returns integer
  language plpgsql immutable;
create function sparql_order_text(key text)
  returns text
  language plpgsql immutable;
create function sparql_order_value(key text)
  returns numeric
  language plpgsql immutable;
create function sparql_ordered(operator text, left_key text, right_key text)
  returns boolean
  language sql immutable;
create function sparql_other_seconds(lex text)
  returns numeric
  language plpgsql immutable;
create function sparql_outdated()
  returns boolean
  language plpgsql volatile;
create function sparql_path(path text)
  returns text
  language plpgsql immutable;
create function sparql_pattern(pattern_key text, flags_key text)
  returns text
  language plpgsql immutable;
create function sparql_percent(value text)
  returns text
  language sql immutable;
create function sparql_printed(key text)
  returns text
  language plpgsql immutable;
create function sparql_product(a numeric, b numeric)
  returns numeric
  language sql immutable;
create function sparql_promoted(value numeric, from_rank integer, to_rank integer)
  returns numeric
  language sql immutable;
create function sparql_quotient(dividend numeric, divisor numeric)
  returns numeric
  language sql immutable;
create function sparql_random()
  returns text
  language sql volatile;
create function sparql_rank(key text)
  returns integer
  language sql immutable;
create function sparql_refuse_group_text()
  returns void
  language plpgsql immutable;
create function sparql_refuse_text()
  returns void
  language plpgsql immutable;
create function sparql_regex(pattern text)
  returns text
  language plpgsql immutable;
create function sparql_relex(key text, value text)
  returns text
  language sql immutable;
create function sparql_replace(key text, pattern text, replacement text)
  returns text
  language plpgsql immutable;
create function sparql_replace_long(value text, pattern text, replacement text)
  returns text
  language plpgsql immutable;
create function sparql_replaced(value text, pattern text, replacement text)
  returns text
  language sql immutable;
create function sparql_replacement(key text)
  returns text
  language sql immutable;
create function sparql_rounding(operator text, key text)
  returns text
  language plpgsql immutable;
create function sparql_scaled(value numeric)
  returns text
  language sql immutable;
create function sparql_scientific(form text)
  returns text
  language plpgsql immutable strict;
create function sparql_search(kinds text[], texts text[], whole text, languages text[], range text,
    literal_limit bigint)
  returns TABLE(id bigint, score numeric)
  language plpgsql stable;
create function sparql_seconds(lex text)
  returns numeric
  language sql immutable;
create function sparql_sha1(bytes bytea)
  returns text
  language plpgsql immutable;
create function sparql_side_values(at_subject boolean, predicate bigint, other bigint, starts bigint[],
    points integer)
  returns bigint[]
  language plpgsql stable;
create function sparql_signed_key(value numeric, rank integer, is_negative boolean)
  returns text
  language sql immutable;
create function sparql_simple(key text)
  returns text
  language sql immutable;
create function sparql_single(value text)
  returns text
  language sql immutable;
create function sparql_size(bytes integer)
  returns bigint
  language internal immutable;
create function sparql_size(key text)
  returns bigint
  language internal immutable;
create function sparql_size_step(state bigint, bytes integer)
  returns bigint
  language plpgsql immutable strict;
create function sparql_size_step(state bigint, key text)
  returns bigint
  language plpgsql immutable strict;
create function sparql_span(lex text, local_name text)
  returns numeric
  language plpgsql immutable;
create function sparql_spread(ids bigint[], points integer)
  returns bigint[]
  language sql immutable;
create function sparql_stored_seconds(lex text, local_name text)
  returns text
  language sql immutable;
create function sparql_stored_tz(lex text, local_name text)
  returns text
  language sql immutable;
create function sparql_strafter(kind text, value text, part text)
  returns text
  language sql immutable;
create function sparql_strafter(value text, part text)
  returns text
  language plpgsql immutable strict;
create function sparql_strbefore(kind text, value text, part text)
  returns text
  language sql immutable;
create function sparql_strbefore(value text, part text)
  returns text
  language plpgsql immutable strict;
create function sparql_strdt(key text, datatype_key text)
  returns text
  language sql immutable;
create function sparql_string(value text)
  returns text
  language sql immutable;
create function sparql_strlang(key text, tag_key text)
  returns text
  language sql immutable;
create function sparql_subjects_of(predicate bigint, object bigint, points integer)
  returns bigint[]
  language plpgsql stable;
create function sparql_substr(value text, first integer)
  returns text
  language sql immutable;
create function sparql_substr(value text, first integer, count integer)
  returns text
  language sql immutable;
create function sparql_substring(key text, first_key text, length_key text, has_length boolean)
  returns text
  language plpgsql immutable;
create function sparql_sum(key text)
  returns text
  language internal immutable;
create function sparql_sum_step(state text, key text)
  returns text
  language plpgsql immutable;
create function sparql_tagged(parts text[])
  returns text
  language sql immutable;
create function sparql_text(key text)
  returns text
  language sql immutable;
create function sparql_text_before(one text, other text)
  returns boolean
  language sql immutable;
create function sparql_text_sample()
  returns TABLE(literals double precision, has_letters boolean, texts text[])
  language plpgsql stable;
create function sparql_time_arithmetic(operator text, left_key text, right_key text)
  returns text
  language plpgsql immutable;
create function sparql_time_field(operator text, lex text, local_name text)
  returns numeric
  language sql immutable;
create function sparql_time_number(operator text, key text)
  returns numeric
  language plpgsql immutable;
create function sparql_time_order(one bigint, one_lex text, one_name text, other bigint, other_lex text,
    other_name text)
  returns integer
  language sql immutable;
create function sparql_time_part(operator text, key text)
  returns text
  language plpgsql immutable;
create function sparql_timezone(zone text)
  returns text
  language sql immutable;
create function sparql_total(integers numeric, decimals numeric, floats real, doubles double precision,
    others text)
  returns text
  language sql immutable;
create function sparql_total_of_keys(integers numeric, decimals numeric, floats real, doubles double precision,
    others text)
  returns text
  language plpgsql immutable;
create function sparql_typed(local_name text, value text)
  returns text
  language sql immutable;
create function sparql_upper(value text)
  returns text
  language sql immutable;
create function sparql_usual_number(key text)
  returns numeric
  language sql immutable;
create function sparql_usual_seconds(usual bigint, lex text)
  returns numeric
  language plpgsql immutable strict;
create function sparql_usual_span(lex text, datatype text, of_datatype text)
  returns numeric
  language sql immutable;
create function sparql_usual_time(lex text)
  returns bigint
  language plpgsql immutable;
create function sparql_uuid()
  returns text
  language sql volatile;
create function sparql_valueless(parts text[])
  returns text
  language sql immutable;
create function sparql_with_scale(rounded numeric, value numeric)
  returns numeric
  language sql immutable;
create function sparql_zone_duration(zone text)
  returns text
  language sql immutable;
create function sparql_zone_seconds(code bigint)
  returns bigint
  language sql immutable;
create function spelt_words(value text)
  returns SETOF text
  language sql immutable;
create function state_difference(iri text, from_tag bigint, to_tag bigint, caller caller DEFAULT NULL::caller,
    OUT etag text, OUT removed_s bigint[], OUT removed_p bigint[], OUT removed_o bigint[], OUT added_s bigint[],
    OUT added_p bigint[], OUT added_o bigint[], OUT term_ids bigint[], OUT term_texts json)
  returns record
  language plpgsql stable security definer;
create function state_near(document bigint, place bigint, is_before boolean, OUT tag bigint,
    OUT at timestamp with time zone)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function state_of(id bigint)
  returns written
  language plpgsql volatile;
create function state_quads(document bigint, place bigint, beyond bigint DEFAULT 0, OUT subjects bigint[],
    OUT predicates bigint[], OUT objects bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function states_around(document bigint, place bigint)
  returns json
  language plpgsql stable;
create function staying_cells(graphs bigint[], cells bigint[], nexts bigint[])
  returns bigint[]
  language plpgsql volatile
  set enable_nestloop=off;
create function store_numbers(count_limit integer)
  returns TABLE(name text, number bigint, is_exact boolean, bytes bigint)
  language plpgsql stable;
create function store_page(name_limit integer, count_limit integer, newest_limit integer,
    caller caller DEFAULT NULL::caller, OUT documents bigint, OUT triples bigint, OUT is_exact boolean,
    OUT classes json, OUT properties json, OUT newest json)
  returns record
  language plpgsql stable;
create function store_relation(relation text, table_name text)
  returns regclass
  language plpgsql stable strict;
create function subject_page(iri text, subject text, from_property text, after_property bigint,
    after_object bigint, page_size integer, caller caller DEFAULT NULL::caller, OUT etag text,
    OUT subjects bigint[], OUT predicates bigint[], OUT objects bigint[], OUT term_ids bigint[],
    OUT term_texts json, OUT before text[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function sweep_copies(follow follow)
  returns bigint[]
  language plpgsql volatile;
create function tags_of(ids bigint[])
  returns json
  language plpgsql stable;
create function take_follows(holder uuid, hold_ms integer)
  returns TABLE(id text, url text, path text, key text, base text, platform_ns text, "position" text,
    failures integer, current_at timestamp with time zone)
  language plpgsql volatile security definer;
create function take_webhooks(holder uuid, hold_ms integer, most integer)
  returns TABLE(id text, url text, secret bytea, agent text, groups text[], under text, actions text[],
    "position" text, failures integer)
  language plpgsql volatile security definer;
create function term_class(datatype text, lang text)
  returns bigint
  language sql immutable;
create function term_hash(key text)
  returns uuid
  language sql stable;
create function term_ids(keys text[])
  returns bigint[]
  language plpgsql stable;
create function term_then(id bigint, place bigint)
  returns text
  language plpgsql stable;
create function terms_below(prefix text, OUT ids bigint[], OUT iris text[])
  returns record
  language plpgsql stable
  set enable_seqscan=on;
create function terms_ever(ids bigint[], OUT term_ids bigint[], OUT term_texts json)
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function terms_of(ids bigint[], OUT term_ids bigint[], OUT term_texts json)
  returns record
  language plpgsql stable;
create function terms_of_answer(ids bigint[], limit_bytes bigint)
  returns json
  language plpgsql stable;
create function terms_up_to(ids bigint[], limit_bytes bigint, OUT term_ids bigint[], OUT term_texts json,
    OUT term_types json)
  returns record
  language plpgsql stable;
create function text_index_state(OUT is_offered boolean, OUT extension_schema text, OUT is_there boolean,
    OUT is_usable boolean, OUT terms bigint)
  returns record
  language plpgsql stable;
create function text_properties(name_limit integer)
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function today_ids(INOUT ids bigint[])
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function touch_documents(ids bigint[], action text DEFAULT NULL::text,
    caller caller DEFAULT NULL::caller, kind text DEFAULT NULL::text)
  returns void
  language plpgsql volatile;
create function touch_rows(ids bigint[])
  returns SETOF document
  language plpgsql volatile;
create function triples_of(ids bigint[], INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[])
  returns record
  language plpgsql immutable;
create function triples_of_graphs(graphs bigint[])
  returns TABLE(g bigint, s bigint, p bigint, o bigint)
  language plpgsql stable;
create function turn_web_session(hash bytea, next_hash bytea)
  returns boolean
  language plpgsql volatile security definer;
create function unfollowed(ids bigint[])
  returns bigint[]
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function update_by_query(query text, parameters text[], is_walked boolean, has_keys boolean,
    names bigint, grantees text[], realms bigint[], has_documents boolean, relations bigint[], absent text[],
    predicates_valued bigint[], lows bigint[], highs bigint[], uncopied bigint[], own_ids bigint[],
    own_keys text[], INOUT created bigint[], INOUT nodes bigint[], caller caller, OUT is_valid boolean,
    OUT changed bigint[], OUT inserted bigint, OUT removed bigint)
  returns record
  language plpgsql volatile;
create function update_clear(iri text, besides text, is_silent boolean, INOUT created bigint[],
    INOUT nodes bigint[], caller caller, OUT changed bigint[], OUT inserted bigint, OUT removed bigint)
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function update_copy(source text, target text, is_whole boolean, is_silent boolean,
    INOUT created bigint[], INOUT nodes bigint[], caller caller, OUT changed bigint[], OUT inserted bigint,
    OUT removed bigint, OUT is_found boolean)
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function update_create(iri text, is_silent boolean, INOUT created bigint[], caller caller)
  returns bigint[]
  language plpgsql volatile security definer;
create function update_data(is_removal boolean, keys text[], graphs bigint[], subjects bigint[],
    predicates bigint[], objects bigint[], INOUT created bigint[], INOUT nodes bigint[], caller caller,
    OUT changed bigint[], OUT inserted bigint, OUT removed bigint)
  returns record
  language plpgsql volatile;
create function update_drop(iri text, besides text, is_silent boolean, created bigint[], caller caller,
    OUT touched bigint[], OUT dropped bigint[])
  returns record
  language plpgsql volatile security definer
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function update_quads(query text, parameters text[], is_walked boolean, has_keys boolean, names bigint,
    grantees text[], realms bigint[], has_documents boolean, relations bigint[], absent text[],
    predicates_valued bigint[], lows bigint[], highs bigint[], uncopied bigint[], OUT is_valid boolean,
    OUT is_added boolean[], OUT graphs bigint[], OUT subjects bigint[], OUT predicates bigint[],
    OUT objects bigint[], OUT keys text[], OUT documents bigint[], OUT revisions bigint[])
  returns record
  language plpgsql volatile
  set join_collapse_limit=1 set from_collapse_limit=1 set enable_nestloop=on set enable_sort=on;
create function use_web_session(hash bytea)
  returns void
  language plpgsql volatile security definer;
create function used_names(name_limit integer, OUT properties text[], OUT classes text[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function values_page(iri text, property text, after bigint, page_size integer,
    caller caller DEFAULT NULL::caller, OUT etag text, OUT subjects bigint[], OUT predicates bigint[],
    OUT objects bigint[], OUT term_ids bigint[], OUT term_texts json)
  returns record
  language plpgsql stable;
create function values_place_before(iri text, property text, after bigint, page_size integer,
    caller caller DEFAULT NULL::caller)
  returns bigint
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function visible_quads(INOUT graphs bigint[], INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[], created bigint[], grantees text[])
  returns record
  language plpgsql stable;
create function vocabulary()
  returns TABLE(id bigint, iri text)
  language plpgsql stable;
create function walk_documents(walked bigint[], page integer, top bigint, realms bigint[], OUT ids bigint[],
    OUT larges boolean[], OUT next bigint[])
  returns record
  language plpgsql stable
  set plan_cache_mode=force_generic_plan set enable_seqscan=off;
create function webhook_work(OUT is_any boolean, OUT is_due boolean)
  returns record
  language plpgsql volatile security definer;
create function with_modified(document document, subjects bigint[], predicates bigint[],
    INOUT objects bigint[])
  returns bigint[]
  language plpgsql volatile;
create function with_reserved(document document, INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[])
  returns record
  language plpgsql volatile;
create function within_realms(graphs bigint[], realms bigint[])
  returns bigint[]
  language plpgsql stable;
create function without_derived(graph bigint, INOUT subjects bigint[], INOUT predicates bigint[],
    INOUT objects bigint[])
  returns record
  language plpgsql volatile;
create function writable_realms(grantees text[])
  returns bigint[]
  language plpgsql stable;
create function write_copy(id bigint, kind text, action text, new_s bigint[], new_p bigint[], new_o bigint[],
    old_s bigint[], old_p bigint[], old_o bigint[])
  returns void
  language plpgsql volatile;
create function write_quads(removed_graphs bigint[], removed_subjects bigint[], removed_predicates bigint[],
    removed_objects bigint[], added_graphs bigint[], added_subjects bigint[], added_predicates bigint[],
    added_objects bigint[], OUT changed bigint[], OUT inserted bigint, OUT removed bigint)
  returns record
  language plpgsql volatile;
