-- Webhooks: URLs to which changes are posted, and how far each has got (functions/change/webhook.sql).

create table webhook (
  id             int8 generated always as identity primary key,
  url            text not null,
  secret         bytea not null,
  agent          text collate "C",
  groups         text[] not null default '{}',
  under          text collate "C",
  actions        text[],
  created        timestamptz not null default now(),
  position       int8 not null,
  state          text not null default 'active' check (state in ('active', 'dead', 'gone')),
  failures       int not null default 0,
  next_attempt   timestamptz not null default now(),
  failed_at      int8,
  last_delivery  timestamptz,
  last_failure   timestamptz,
  last_reason    text,
  holder         uuid,
  held_until     timestamptz
);

comment on table webhook is 'URLs to which changes are posted.';
comment on column webhook.secret is 'Key of the signatures.';
comment on column webhook.agent is
  'IRI of the agent as whom changes are read; null: as the operator, who may read all.';
comment on column webhook.under is 'Only changes of documents whose IRI begins with it; null: all.';
comment on column webhook.actions is 'Only changes with these actions; null: all.';
comment on column webhook.position is
  'All changes up to this position in the log were delivered, or did not match.';
comment on column webhook.state is
  'active; dead: too many attempts failed, or the next changes have expired; gone: the receiver answered 410.';
comment on column webhook.failures is 'Number of failed attempts since the last delivery.';
comment on column webhook.failed_at is
  'Position of the change whose delivery failed last; null: none since the last delivery.';
comment on column webhook.last_reason is 'Why the last attempt failed.';
comment on column webhook.holder is 'The process that delivers at present, until held_until. It renews this.';
