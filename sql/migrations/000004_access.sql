-- Who may do what: grants on subtrees, keys of programs, and the record of who changed what.

-- A grant holds for a document and all below it. There are no denials: what is granted anywhere above is granted.
create table access_grant (
  document int8 not null,
  -- 'public', 'authenticated', 'agent <IRI>' or 'group <name>' (src/base/caller.ts)
  grantee  text collate "C" not null,
  modes    text[] not null,
  primary key (document, grantee),
  constraint "grantee-known" check (grantee ~ '^(public$|authenticated$|agent \S+$|group \S)'),
  constraint "grantee-fits" check (octet_length(grantee) <= 2000), -- into an index
  constraint "modes-known" check (modes <> '{}' and modes <@ '{read,append,write,control}')
);

create index access_grant_grantee on access_grant (grantee);

-- Documents below the root that have grants of their own: each heads a realm, which is its subtree without the realms
-- further down. Whoever may read a realm may read all realms below it.
create table access_realm (
  id    int8 primary key,
  -- the realm around it; null: the root's
  above int8
);

create index access_realm_above on access_realm (above);

-- null: no document between this one and the root has grants of its own; so it is in the root's realm, and only who may
-- read everything may read it
alter table document add column realm int8;
create index document_realm on document (realm) where realm is not null;

create table api_key (
  -- SHA-256 of the key, which is random: nobody can try 2^256 of them, so a slow hash would protect nothing
  hash    bytea primary key constraint "key-is-hashed" check (octet_length(hash) = 32),
  agent   text not null,
  groups  text[] not null default '{}',
  note    text not null default '',
  created timestamptz not null default clock_timestamp(),
  expires timestamptz
);

create table audit (
  id         int8 generated always as identity primary key,
  time       timestamptz not null default clock_timestamp(),
  -- null: nobody known
  agent      text,
  request_id text,
  action     text not null,
  -- IRI: the document may be gone
  document   text not null,
  -- entity tag after the change; null where there is none
  etag       text
);

create index audit_time on audit (time);
create index audit_document on audit using hash (document);

comment on table access_grant is 'Who may do what with a document and all below it.';
comment on table access_realm is 'Documents below the root with grants of their own, and which is around which.';
comment on column document.realm is 'The nearest document with grants of its own, itself or above; null for the root.';
comment on table api_key is 'Keys of programs, hashed, with the agent that each speaks for.';
comment on table audit is 'Who changed what: a row a change, written with it.';
