-- Grants that expire, documents that do not inherit, finer modes, and keys that may do less than their agents.

-- A grantee may have several grants on a document that expire at different times. 'infinity': never.
alter table access_grant add column expires timestamptz not null default 'infinity';
alter table access_grant drop constraint access_grant_pkey, add primary key (document, grantee, expires);
alter table access_grant drop constraint "modes-known", add constraint "modes-known"
  check (modes <> '{}' and modes <@ array['read', 'create', 'members', 'edit', 'delete', 'append', 'write',
                                             'query', 'control']);
create index grant_expires on access_grant (expires) where expires < 'infinity';

-- A document that does not inherit heads a realm even without grants of its own.
alter table access_realm add column is_isolated boolean not null default false;
create index access_realm_isolated on access_realm (id) where is_isolated;

alter table api_key rename column note to name;
alter table api_key
  add column modes text[] constraint "key-modes-known"
    check (modes <> '{}' and modes <@ array['read', 'create', 'members', 'edit', 'delete', 'append', 'write',
                                             'query', 'control']),
  add column within text,
  add column last_used timestamptz;
create index api_key_agent on api_key using hash (agent);

comment on table access_realm is 'Documents below the root that have grants of their own or do not inherit.';
comment on column access_grant.expires is 'The grant counts until then.';
comment on column access_realm.is_isolated is 'Grants above this document do not count in it and below it.';
comment on column api_key.modes is 'The key gives these modes at most; null: all that its agent has.';
comment on column api_key.within is 'IRI of the document to which, with all below it, the key is confined; null: none.';
comment on column api_key.last_used is 'When the key was last seen in use, written at most once a minute.';
