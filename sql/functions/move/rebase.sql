-- Gives a dataset another base: `quadstead rebase` (docs/operations.md, Another address).
--
-- All IRIs below the old base are renamed, as by a move of the root. Entity tags stay: each belongs to a URL, and no
-- URL below the new base has had another representation with it.

-- Renames everything below the base.
--
--   returns  the number of IRIs that were renamed
--   raises   QS409 document-iri-free: a raw graph has one of the new IRIs · QS503 busy
create or replace function rebase_dataset(new_base text) returns int8
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_base  text;
  v_terms record;
  v_root  document;
begin
  perform change_names();
  v_base := (select d.base from dataset as d where d.is_only);
  if new_base = v_base then
    return 0;
  end if;
  v_terms := terms_below(v_base);
  perform rename_terms(v_terms.ids, array(select new_base || substr(n.iri, length(v_base) + 1)
                                            from unnest(v_terms.iris) with ordinality as n (iri, at) order by n.at));
  update dataset as d set base = new_base, grants_revision = d.grants_revision + 1 where d.is_only;
  perform move_scopes(v_base, new_base);
  perform rename_agents(v_base, new_base);
  delete from moved; -- clients of the old base do not come here any more
  v_root := lock_document(new_base);
  perform record_change('rebase', v_root.id, v_root.revision::text, v_root.revision::text, null);
  return cardinality(v_terms.ids);
end
$$;

comment on function rebase_dataset(text) is 'Gives a dataset another base, and renames everything below the old one.';

-- Renames agents in grants and keys. Two grants that become one have the modes of both.
create or replace function rename_agents(prefix text, target text) returns void
language plpgsql
set search_path from current
set enable_seqscan = on
as $$
begin
  with gone as (
    delete from access_grant as g where starts_with(g.grantee, 'agent ' || prefix)
    returning g.document, 'agent ' || target || substr(g.grantee, length('agent ' || prefix) + 1) as grantee, g.modes,
              g.expires)
  insert into access_grant as g (document, grantee, modes, expires)
  select o.document, o.grantee, o.modes, o.expires from gone as o
      on conflict (document, grantee, expires)
      do update set modes = array(select unnest(g.modes) union select unnest(excluded.modes) order by 1);
  update api_key as k
     set agent = target || substr(k.agent, length(prefix) + 1)
   where starts_with(k.agent, prefix);
end
$$;

comment on function rename_agents(text, text) is 'Renames agents in grants and keys.';
