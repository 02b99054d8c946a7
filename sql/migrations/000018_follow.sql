-- Copies of other stores: which are followed, and how far each copy has got (functions/change/follow.sql).

create table follow (
  id            int8 generated always as identity primary key,
  url           text collate "C" not null,
  path          text collate "C" not null,
  key           text,
  created       timestamptz not null default now(),
  position      text collate "C" not null default 'documents',
  round         int not null default 1,
  is_swept      boolean not null default false,
  failures      int not null default 0,
  next_attempt  timestamptz not null default now(),
  last_failure  timestamptz,
  last_reason   text,
  current_at    timestamptz,
  behind        int8,
  holder        uuid,
  held_until    timestamptz
);

create table followed (
  document  int8 primary key,
  follow    int8 not null references follow,
  tag       text collate "C",
  round     int not null
);
create index followed_follow on followed (follow, round);

create table followed_node (
  document  int8,
  label     text collate "C",
  id        int8 not null,
  primary key (document, label)
);

comment on table follow is 'Other stores of which this one keeps a copy.';
comment on column follow.url is 'IRI of the root document of the source.';
comment on column follow.path is 'Path of the followed document below the root document, there and here.';
comment on column follow.key is 'API key or token that the source gets; null: none.';
comment on column follow.position is
  'Where the changes of the source go on, as it said. Stored in the transaction that applies those before.';
comment on column follow.round is 'Number of the listing of all documents that is under way, or was the last.';
comment on column follow.is_swept is 'Documents that the last listing did not have were removed.';
comment on column follow.failures is 'Number of failed attempts since the last success.';
comment on column follow.current_at is 'When the copy last had all that the source had.';
comment on column follow.behind is 'Number of positions that the copy is behind; null: not known.';
comment on column follow.holder is 'The process that follows at present, until held_until. It renews this.';
comment on table followed is 'Documents that are copies. Only the follower writes them.';
comment on column followed.tag is
  'Entity tag of the copied state, at the source; null: the document is empty until the source tells its state.';
comment on column followed.round is 'Number of the last listing that had the document, or of a later change.';
comment on table followed_node is 'Blank nodes of copies by their labels at the source.';
comment on column followed_node.id is 'Id of the blank node here.';

-- Which entity tags the log must explain (functions/change/check.sql): those after this one.
alter table dataset add column changes_lost_tag int8 not null default 0;
update dataset set changes_lost_tag = (select s.last_value from revision_seq as s);

comment on column dataset.changes_lost_tag is
  'The log has the changes that gave documents a greater entity tag than this one.';

-- It has other columns now.
drop function if exists read_changes(int8, int, text, text[], boolean, caller);
