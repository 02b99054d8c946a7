-- Since when grants are as they are: replicas that do not know of the last change must not answer for them.

alter table dataset add column grants_revision int8 not null default 0;

comment on column dataset.grants_revision is 'How often grants were replaced; the service watches it.';
