-- States of documents that change often, so that an old one is not computed from all changes since
-- (functions/change/kept_state.sql).
create table kept_state (
  document   int8,
  position   int8,
  tag        int8 not null,
  time       timestamptz not null,
  size       int4 not null,
  subjects   int8[] not null,
  predicates int8[] not null,
  objects    int8[] not null,
  primary key (document, position)
);

alter table dataset add column states_seen int8 not null default 0;

comment on table kept_state is 'States of documents that change often; they follow from the change log.';
comment on column kept_state.position is 'Position of the change that left the state.';
comment on column kept_state.tag is 'Entity tag of the state.';
comment on column kept_state.time is 'Time of the change.';
comment on column kept_state.size is 'Number of triples.';
comment on column kept_state.subjects is 'Subjects of the triples; predicates and objects are in parallel arrays.';
comment on column dataset.states_seen is 'Changes up to this position have been considered for kept_state.';

-- Functions with other arguments now (functions/change).
drop function if exists state_quads(int8, int8), undo_quads(int8, int8, int8, int8[], int8[], int8[]);
