-- Old IRIs of moved documents. Requests for them are redirected for MOVED_REDIRECTS_SECONDS.
--
-- A row of `moved` applies to everything below its IRI and leads to the present IRI. If the document had other IRIs in
-- between, a new document at one of these does not get the requests for the first.

-- Stores a redirect for a move. Updates redirects to the old IRI. Removes those that have expired or lead nowhere.
--
--   keeps  how long requests are redirected; null: not at all
create or replace function note_move(iri text, target text, keeps interval) returns void
language plpgsql
set search_path from current
as $$
begin
  delete from moved as m
   where m.expires <= now() or m.hash = term_hash('I' || note_move.target)
      or starts_with(m.target, note_move.target); -- their documents are deleted, since the new IRI was free

  update moved as m
     set target = note_move.target || substr(m.target, length(note_move.iri) + 1)
   where starts_with(m.target, note_move.iri);

  -- A part of what has moved before goes elsewhere now.
  insert into moved as m (hash, iri, target, expires)
  select term_hash('I' || o.iri), o.iri, note_move.target, o.expires
    from (select p.iri || substr(note_move.iri, length(p.target) + 1) as iri, p.expires
            from moved as p
           where starts_with(note_move.iri, p.target)) as o
   where o.iri <> note_move.target
      on conflict (hash) do nothing;

  if keeps is not null then
    insert into moved as m (hash, iri, target, expires)
    values (term_hash('I' || note_move.iri), note_move.iri, note_move.target, now() + keeps)
        on conflict (hash) do update set target = excluded.target, expires = excluded.expires;
  end if;
end
$$;

comment on function note_move(text, text, interval) is 'Stores a redirect for a move, and removes expired ones.';

-- The new IRI of a document that has moved. The row with the longest IRI counts.
--
--   returns  the IRI of an existing document that the caller may read; null for none
create or replace function moved_to(iri text, caller caller default null) returns text
language plpgsql stable
set search_path from current
as $$
declare
  v_places text[] := string_to_array(iri, '/');
  v_found  text;
begin
  select m.target || substr(moved_to.iri, length(m.iri) + 1) into v_found
    from generate_series(array_length(v_places, 1) - 1, 4, -1) as n
    join moved as m on m.hash = term_hash('I' || array_to_string(v_places[:n], '/') || '/')
   where m.expires > now()
   order by n desc
   limit 1;
  return case when has_document(v_found) and (caller.grantees is null or has_access(v_found, '{read}', caller.grantees))
              then v_found end;
end
$$;

comment on function moved_to(text, caller) is 'The new IRI of a document that has moved; null for none.';
