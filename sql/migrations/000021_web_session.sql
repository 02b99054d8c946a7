-- Sessions of people who are signed in with a browser (functions/access/web_session.sql).

create table web_session (
  hash      bytea primary key constraint "token-is-hashed" check (octet_length(hash) = 32),
  next_hash bytea unique,
  next_made timestamptz,
  past_hash bytea unique,
  agent     text not null,
  groups    text[] not null default '{}',
  name      text not null default '',
  key_hash  bytea references api_key on delete cascade,
  id_token  text,
  begun     timestamptz not null default now(),
  turned    timestamptz not null default now(),
  used      timestamptz not null default now(),
  ends      timestamptz not null
);
create index web_session_ends on web_session (ends);
create index web_session_agent on web_session (agent, begun);
create index web_session_key on web_session (key_hash) where key_hash is not null;

comment on table web_session is 'Sessions of people who are signed in with a browser.';
comment on column web_session.hash is 'SHA-256 of the token in the cookie. The token is random.';
comment on column web_session.next_hash is
  'SHA-256 of the token that the browser was sent last. It replaces the token when the browser uses it; null: none.';
comment on column web_session.next_made is 'When the next token was made.';
comment on column web_session.past_hash is 'SHA-256 of the token before; null: there was none.';
comment on column web_session.name is 'Name of the person, for display only.';
comment on column web_session.key_hash is
  'The API key that the person signed in with: the session has its scope and ends with it; null: an issuer.';
comment on column web_session.id_token is 'The ID token of the issuer, with which the person is signed out there.';
comment on column web_session.turned is 'When the token became the current one.';
comment on column web_session.used is 'When the session was last used, to about a minute.';
comment on column web_session.ends is 'When the session ends, however much it is used.';
