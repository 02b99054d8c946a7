-- Responses to requests with an Idempotency-Key.

create table kept_answer (
  id           bytea primary key,
  agent        text not null,
  key          text not null,
  request_hash bytea not null,
  status       int not null,
  headers      jsonb not null,
  body         bytea not null,
  made         timestamptz not null default now()
);
create index kept_answer_made on kept_answer (made);

comment on table kept_answer is 'Responses to requests with an Idempotency-Key, for requests that repeat them.';
comment on column kept_answer.id is 'SHA-256 of agent and key.';
comment on column kept_answer.agent is 'IRI of the caller; empty for anonymous callers.';
comment on column kept_answer.request_hash is 'SHA-256 of method, URL and body.';
