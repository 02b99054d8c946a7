-- Functions with other arguments or results now (functions/change).
drop function if exists require_past(timestamptz), past_documents(int8), past_quads(),
  undo_quads(int8, int8, int8, int8[], int8[], int8[]), read_changes(int8, int, text, text[], boolean, caller),
  find_changes(int8, int8, int, text, text[], boolean, caller);
