-- Rights for a service that owns nothing, and for people who only read.
--
--   psql "$DATABASE_URL" -v schema=quadstead -v service=quadstead_service -v reader=quadstead_reader -f sql/roles.sql
--
-- Run it as the schema's owner, after `quadstead migrate`, and again after each upgrade (new functions need their
-- grants). It needs the right to create roles only where they do not exist yet. The service may then call the
-- functions, which do all writing, and read; the reader may read. Give each a login, or grant them to roles that
-- have one:
--
--   alter role quadstead_service login password '…';
\set ON_ERROR_STOP on

select format('create role %I nologin', role)
  from unnest(array[:'service', :'reader']) as role
 where not exists (select from pg_roles where rolname = role)
\gexec

begin;
revoke all on schema :"schema" from public;
revoke execute on all functions in schema :"schema" from public;
grant usage on schema :"schema" to :"service", :"reader";
grant select on all tables in schema :"schema" to :"service", :"reader";
grant select on all sequences in schema :"schema" to :"service", :"reader"; -- check_store compares them
grant execute on all functions in schema :"schema" to :"service";
-- Secrets, and responses to others.
revoke select on :"schema".api_key, :"schema".webhook, :"schema".follow, :"schema".kept_answer, :"schema".web_session
  from :"reader";

-- Readers call what the views need, and nothing that writes: these run with their caller's rights.
select format('grant execute on function %s to %I', p.oid::regprocedure, :'reader')
  from pg_proc as p
  join pg_namespace as n on n.oid = p.pronamespace
 where n.nspname = :'schema' and p.provolatile <> 'v'
\gexec
commit;
