-- Changes of the registry. Each takes the next revision.

-- Locks the registry until the transaction ends and returns the next revision.
create or replace function next_revision() returns bigint
language sql
set search_path from current
as $$
  update registry set revision = registry.revision + 1 returning registry.revision
$$;

-- Adds a dataset. The schema of a deleted one is not used again, because connections remember its types.
--
--   raises  QS409 dataset-name-free, dataset-base-free, dataset-schema-free
create or replace function add_dataset(
  name text, schema text, base text, database_url text, read_url text, settings jsonb
) returns dataset
language plpgsql
set search_path from current
as $$
declare
  v_revision bigint := next_revision();
  v_dataset  dataset;
begin
  perform require_free(0, add_dataset.name, add_dataset.base);
  if exists (
    select from dataset as d
     where d.state <> 'removed' and d.schema = add_dataset.schema
       and d.database_url is not distinct from add_dataset.database_url
  ) then
    raise exception 'The schema "%" holds another dataset of this service, or held one that was deleted.',
      add_dataset.schema
      using errcode = 'QS409', constraint = 'dataset-schema-free';
  end if;
  insert into dataset (name, schema, base, database_url, read_url, settings, revision)
  values (add_dataset.name, add_dataset.schema, add_dataset.base, add_dataset.database_url, add_dataset.read_url,
          add_dataset.settings, v_revision)
  returning * into v_dataset;
  return v_dataset;
end
$$;

-- Checks that no other dataset has the name or the base.
--
--   id      the dataset that may have them; 0: none
--   raises  QS409 dataset-name-free, dataset-base-free
create or replace function require_free(id bigint, name text, base text) returns void
language plpgsql
set search_path from current
as $$
begin
  if exists (
    select from dataset as d
     where d.state in ('served', 'paused') and d.name = require_free.name and d.id <> require_free.id
  ) then
    raise exception 'There is a dataset "%" already.', require_free.name
      using errcode = 'QS409', constraint = 'dataset-name-free';
  elsif exists (
    select from dataset as d
     where d.state in ('served', 'paused') and d.base = require_free.base and d.id <> require_free.id
  ) then
    raise exception 'Another dataset has the base <%>.', require_free.base
      using errcode = 'QS409', constraint = 'dataset-base-free';
  end if;
end
$$;

-- Changes a dataset: its name, base, settings and state. Null keeps a value. A removed dataset stays removed.
--
--   raises  QS404 dataset-known, QS409 dataset-name-free, dataset-base-free
create or replace function change_dataset(
  name text, new_name text default null, base text default null, settings jsonb default null, state text default null
) returns dataset
language plpgsql
set search_path from current
as $$
declare
  v_revision bigint := next_revision();
  v_dataset  dataset;
begin
  select * into v_dataset from dataset as d where d.name = change_dataset.name and d.state in ('served', 'paused');
  if not found then
    raise exception 'There is no dataset "%".', change_dataset.name
      using errcode = 'QS404', constraint = 'dataset-known';
  end if;
  perform require_free(v_dataset.id, coalesce(new_name, v_dataset.name), coalesce(change_dataset.base, v_dataset.base));
  update dataset as d
     set name = coalesce(new_name, d.name),
         base = coalesce(change_dataset.base, d.base),
         settings = coalesce(change_dataset.settings, d.settings),
         state = coalesce(change_dataset.state, d.state),
         removed = case when change_dataset.state in ('removed', 'dropped') then now() end,
         failure = case when change_dataset.settings is null then d.failure end,
         revision = v_revision
   where d.id = v_dataset.id
  returning * into v_dataset;
  return v_dataset;
end
$$;

-- Records that the schema of a dataset was brought up to date, or why it was not.
--
--   sql_version  checksum of the SQL files; null: it failed
create or replace function note_migration(id bigint, sql_version text, failure text) returns void
language sql
set search_path from current
as $$
  update dataset as d
     set sql_version = coalesce(note_migration.sql_version, d.sql_version),
         migrated = case when note_migration.sql_version is null then d.migrated else now() end,
         failure = note_migration.failure,
         revision = next_revision()
   where d.id = note_migration.id
$$;

-- Records whether a dataset has active webhooks.
--
--   seen  do so only if this is still the revision of its entry; null: in any case
create or replace function note_webhooks(id bigint, has_webhooks boolean, seen bigint) returns void
language plpgsql
set search_path from current
as $$
declare
  v_revision bigint := next_revision();
begin
  update dataset as d
     set has_webhooks = note_webhooks.has_webhooks, revision = v_revision
   where d.id = note_webhooks.id and (seen is null or d.revision = seen);
end
$$;
