-- Old IRIs of moved documents. Requests for them are redirected for MOVED_REDIRECTS_SECONDS.

-- Stores a redirect for a move. Removes expired redirects, and one from the new IRI.
--
--   keeps  how long requests are redirected; null: not at all
create or replace function note_move(iri text, target text, keeps interval) returns void
language plpgsql
set search_path from current
as $$
begin
  delete from moved as m where m.expires <= now();
  delete from moved as m where m.hash = term_hash('I' || note_move.target);
  if keeps is not null then
    insert into moved as m (hash, iri, target, expires)
    values (term_hash('I' || note_move.iri), note_move.iri, note_move.target, now() + keeps)
        on conflict on constraint moved_pkey do update set target = excluded.target, expires = excluded.expires;
  end if;
end
$$;

comment on function note_move(text, text, interval) is 'Stores a redirect for a move, and removes expired ones.';

-- The new IRI of a document that has moved.
--
--   returns  the IRI of an existing document that the caller may read; null for none
--
-- A row applies to everything below its IRI; the longest IRI wins. The new IRI may itself be an old one.
create or replace function moved_to(iri text, caller caller default null) returns text
language plpgsql stable
set search_path from current
as $$
declare
  v_iri   text := iri;
  v_move  moved;
begin
  for v_step in 1 .. 20 loop
    select m.* into v_move
      from generate_series(array_length(string_to_array(v_iri, '/'), 1) - 1, 4, -1) as n
      join moved as m
        on m.hash = term_hash('I' || array_to_string((string_to_array(v_iri, '/'))[:n], '/') || '/')
     where m.expires > now()
     order by n desc
     limit 1;
    exit when not found;
    v_iri := v_move.target || substr(v_iri, length(v_move.iri) + 1);
    if has_document(v_iri) then
      return case when caller.grantees is null or has_access(v_iri, '{read}', caller.grantees) then v_iri end;
    end if;
  end loop;
  return null;
end
$$;

comment on function moved_to(text, caller) is 'The new IRI of a document that has moved; null for none.';
