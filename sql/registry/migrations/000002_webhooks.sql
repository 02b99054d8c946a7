-- Which datasets have webhooks, so that a service looks for due ones in these only, also while they are closed.

alter table dataset add column has_webhooks boolean not null default false;

comment on column dataset.has_webhooks is 'Whether it has active webhooks, as far as services and commands noticed.';
