-- People see their sessions: each has a name that is no secret, and says in which browser it is.
--
-- One column at a time, and constraints later: Citus adds no others to a distributed table.

alter table web_session add column id uuid;
alter table web_session add column client text not null default '';

update web_session set id = md5(hash)::uuid;

alter table web_session alter column id set default gen_random_uuid();
alter table web_session alter column id set not null;
alter table web_session add constraint web_session_id_key unique (id);

comment on column web_session.id is 'Names the session. Unlike the token, it is no secret, and it does not change.';
comment on column web_session.client is 'User-Agent of the browser in which the person signed in, for display only.';
