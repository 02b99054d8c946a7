-- One row for every function that returns a document (functions/document/read.sql).
--
-- Older programs call functions that are dropped here and with the new functions.
--! breaking

-- Functions that return the old row, or a graph with its terms as one JSON object, are defined again after this.
drop type document_state cascade;
drop function if exists read_graph(refcursor, int), terms_of(int8[]), property_heads(int8, int, int, int);

create type document_state as (
  id              int8,
  etag            text,        -- without its quotes
  created         timestamptz,
  modified        timestamptz,
  is_access_point boolean,
  subjects        int8[],      -- null: the triples are left out
  predicates      int8[],
  objects         int8[],
  term_ids        int8[],      -- dictionary entries; of several documents, the first row has those of all
  term_texts      json,        -- in the same order: IRIs, or [lexical form, datatype or null, language or null]
  children        json,
  members         json,
  own_modes       text[],      -- of the caller; null: the caller is permitted everything
  public_modes    text[]
);

comment on type document_state is
  'A document: state, triples as ids, their terms, a page of children and members, modes of the caller.';
