-- The words of literals, among which the search finds similar ones (functions/term/similar.sql).

create table search_word (
  word text collate "C" primary key
);

create table search_gathering (
  is_only     boolean primary key default true check (is_only),
  ended       int8 not null default 0,
  next        int8 not null default 0,
  next_xid    xid8 not null default '0'
);

insert into search_gathering default values;

comment on table search_word is 'Words of literals, as the search index has them. Only similar words are found here.';
comment on table search_gathering is 'How far search_word has got: one row.';
comment on column search_gathering.ended is 'Of terms up to this number, the words are in search_word.';
comment on column search_gathering.next is 'The next number up to which words are gathered.';
comment on column search_gathering.next_xid is
  'When all transactions before this one have ended, there are no more terms to come up to the next number.';
