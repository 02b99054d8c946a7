-- The registry: the datasets that a service serves, and the keys of its operators.
--
-- It is in a schema of its own (DATASETS_SCHEMA), beside the schemas of the datasets. A dataset may be in another
-- database. Every change takes the next revision while it holds the row of `registry`, so revisions become visible in
-- their order, and a service learns of all changes by asking for those after the last one that it knows.

create table registry (
  is_only_row boolean primary key default true check (is_only_row),
  revision    bigint not null default 0
);
insert into registry default values;

create table dataset (
  id           bigint primary key generated always as identity,
  name         text not null,
  schema       text not null,
  base         text not null,
  database_url text,
  settings     jsonb not null default '{}',
  state        text not null default 'served' check (state in ('served', 'paused', 'removed', 'dropped')),
  revision     bigint not null,
  created      timestamptz not null default now(),
  removed      timestamptz,
  sql_version  text,
  migrated     timestamptz,
  failure      text
);

create unique index dataset_name_free on dataset (name) where state in ('served', 'paused');
create unique index dataset_base_free on dataset (base) where state in ('served', 'paused');
create unique index dataset_schema_free on dataset (schema, coalesce(database_url, ''))
  where state in ('served', 'paused');
create index dataset_revision on dataset (revision);

create table operator_key (
  id      text primary key,
  hash    bytea not null unique,
  name    text not null,
  created timestamptz not null default now()
);

comment on table registry is 'The number of the last change.';
comment on table dataset is 'The datasets that the service serves, and those that were removed from it.';
comment on column dataset.base is 'IRI of the root document; ends with /. The dataset itself stores it too.';
comment on column dataset.database_url is 'Connection URI, perhaps with ${QUADSTEAD_SECRET_…}; null: this database.';
comment on column dataset.settings is 'Settings that differ from those of the service: {"REQUEST_LIMIT": "500"}.';
comment on column dataset.state is 'paused: requests are a 503. removed: the schema is kept. dropped: it is deleted.';
comment on column dataset.sql_version is 'Checksum of the SQL files with which its schema was last brought up to date.';
comment on column dataset.failure is 'Why its schema could not be brought up to date; null: it could, or nobody tried.';
comment on table operator_key is 'Keys for the management of datasets over HTTP: the SHA-256 of each.';
