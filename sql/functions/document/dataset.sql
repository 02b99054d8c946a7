-- The dataset: its base, its platform namespace and its root document.

-- Opens the dataset. The first call stores its settings and creates the root document.
--
--   base          IRI of the root document, ends with '/'; null: the stored one, or else default_base
--   default_base  base of a new dataset for which no base is given
--   platform_ns   namespace of the platform's vocabulary
--   returns       the dataset's base
--   raises        QS409 base-url-kept, platform-ns-kept: the dataset has another base or namespace
create or replace function open_dataset(base text, default_base text, platform_ns text) returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_dataset dataset;
begin
  select * into v_dataset from dataset;
  if not found then
    perform pg_advisory_xact_lock(hashtextextended('quadstead dataset ' || current_schema(), 0));
    select * into v_dataset from dataset;
    if not found then
      perform create_dataset(coalesce(open_dataset.base, default_base), open_dataset.platform_ns);
      select * into v_dataset from dataset;
    end if;
  end if;

  if v_dataset.base <> open_dataset.base then
    raise exception 'This dataset''s documents live under <%>, not under <%>.', v_dataset.base, open_dataset.base
      using errcode = 'QS409', constraint = 'base-url-kept',
            hint = 'Set BASE_URL to the first, or keep the second in a dataset of its own (DATABASE_SCHEMA, DATA_DIR).';
  elsif v_dataset.platform_ns <> open_dataset.platform_ns then
    raise exception 'This dataset''s platform namespace is <%>, not <%>.',
      v_dataset.platform_ns, open_dataset.platform_ns
      using errcode = 'QS409', constraint = 'platform-ns-kept',
            hint = 'Set PLATFORM_NS to the first, or use a dataset of its own (DATABASE_SCHEMA, DATA_DIR).';
  end if;
  return v_dataset.base;
end
$$;

comment on function open_dataset(text, text, text) is
  'Base of the dataset; creates the dataset row and the root document at the first start.';

-- Stores the settings of a new dataset, inserts the platform's vocabulary and creates the root document.
create or replace function create_dataset(base text, platform_ns text) returns void
language plpgsql
set search_path from current
as $$
declare
  v_root int8;
begin
  perform hold_place();
  insert into dataset (base, platform_ns) values (create_dataset.base, create_dataset.platform_ns);

  insert into term (id, hash, lex)
  select v.id, term_hash('I' || create_dataset.platform_ns || v.name), create_dataset.platform_ns || v.name
    from (values (100, 'Document'), (101, 'AccessPoint'), (102, 'created'), (103, 'modified'), (104, 'accessPoint'))
      as v (id, name);

  v_root := (intern_terms(array['I' || create_dataset.base]))[1];
  perform add_document(v_root, null, null, false, '{}', '{}', '{}', null);
end
$$;

comment on function create_dataset(text, text) is
  'Dataset row, platform vocabulary and root document of a new dataset.';
