-- Terms that get another name: documents move to other IRIs (functions/move).
--
-- Older programs call functions that are dropped here, and keep names of terms that may change now.
--! breaking

-- A process keeps ids and IRIs from query to query. It compares this number to learn that they may be out of date.
alter table dataset add column names_revision int8 not null default 0;

-- Old IRIs of documents, and where they went, for as long as clients are redirected (MOVED_REDIRECTS).
create table moved (
  -- term_hash of the old IRI's key, because an IRI may not fit into an index
  hash    uuid constraint moved_pkey primary key,
  iri     text collate "C" not null,
  target  text collate "C" not null,
  expires timestamptz not null
);
create index moved_expires on moved (expires);

comment on column dataset.names_revision is
  'Number of the last rename of terms; the service compares it with what it keeps.';
comment on table moved is 'Old IRIs of documents that moved, with all below them, and their new IRIs.';
comment on column moved.expires is 'Requests to the old IRI are redirected until then.';

-- Functions with other arguments now.
drop function if exists
  require_deletable(text, text[]),
  sparql_facts_hold(text[], int8[], boolean, int8[], text[], int8[], int8[], int8[]),
  sparql_open_if(text[], int8[], boolean, int8[], text[], int8[], int8[], int8[], text, text[], boolean, text),
  update_quads(text, text[], boolean, boolean, text[], int8[], boolean, int8[], text[], int8[], int8[], int8[]),
  update_by_query(text, text[], boolean, boolean, text[], int8[], boolean, int8[], text[], int8[], int8[], int8[],
                  int8[], text[], int8[], int8[], caller);
