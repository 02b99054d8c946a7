-- The caller of a request, as the public functions take it (functions/access/access.sql).
--
-- A null caller is the operator: everything is permitted, and the audit records nothing.
create type caller as (
  grantees   text[],   -- names that match the caller in grants, and the scope of its key; null: everything is permitted
  is_hidden  boolean,  -- documents that the caller may not read are answered as if they did not exist
  agent      text,     -- IRI, for the record of changes; null: nobody known
  request_id text,
  is_audited boolean   -- changes are recorded in the audit
);

comment on type caller is 'On whose behalf a function is called: grantees, and what is recorded about changes.';
