-- The change log: what every write changed, in an order that readers can follow (functions/change; docs/changes.md).

create sequence change_seq;
select nextval('change_seq'); -- so that last_value is a number that was drawn

create table change (
  position        int8 primary key,
  -- number of the transaction, from the same sequence, drawn before the positions of all its rows
  transaction     int8 not null,
  time            timestamptz not null default clock_timestamp(),
  -- the document, or a raw graph
  document        int8 not null,
  parent          int8,
  member_by       int8,
  -- realm of the document when it changed
  realm           int8,
  before          int8,
  after           int8,
  is_access_point boolean,
  action          text collate "C",
  agent           text collate "C",
  request_id      text collate "C",
  added_s         int8[],
  added_p         int8[],
  added_o         int8[],
  removed_s       int8[],
  removed_p       int8[],
  removed_o       int8[]
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02
);

create index change_document on change (document, position);
create index change_time on change using brin (time) with (pages_per_range = 16, autosummarize = on);

-- Names of terms before moves. A change at a position has the name of the first row with a greater position.
create table old_name (
  id       int8,
  position int8,
  name     text collate "C" not null,
  primary key (id, position)
);
create index old_name_position on old_name (position);

alter table dataset add column logs_changes boolean not null default false;
alter table dataset add column changes_kept interval;
alter table dataset add column changes_lost int8 not null default 0;

comment on table change is 'The change log: a row for each change of a document, and for each part of a larger one.';
comment on column change.transaction is 'Number of the transaction; less than the positions of its rows.';
comment on column change.time is 'When the row was written, shortly before the commit.';
comment on column change.document is 'Id of the document or raw graph.';
comment on column change.parent is
  'The document''s parent after the change, or before its deletion; in a part: before the document moved.';
comment on column change.member_by is 'document.member_by at the same time as parent.';
comment on column change.before is 'Entity tag before the change; null: the document is new.';
comment on column change.after is 'Entity tag after the change; null: the document is gone.';
comment on column change.action is
  'created, replaced, patched, members-added, members-removed, deleted, moved, imported, or changed as a consequence. '
  'Null: a part of the document''s next change in this transaction.';
comment on column change.added_s is 'Subjects of added triples; predicates and objects are in parallel arrays.';
comment on column change.removed_s is 'Subjects of removed triples; predicates and objects are in parallel arrays.';
comment on table old_name is 'Names that terms had before moves, for the change log.';
comment on column old_name.position is 'Changes before this position have the name.';
comment on column dataset.logs_changes is 'Whether writes are recorded in the change log (CHANGES).';
comment on column dataset.changes_kept is 'How long the log keeps changes; null: forever.';
comment on column dataset.changes_lost is 'The log is complete after this position.';

-- Functions with other arguments now.
drop function if exists touch_documents(int8[], text, caller), drop_graphs(int8[]),
  put_plain_quads(int8[], int8[], int8, int[], int8[], int8[], int8[]);
