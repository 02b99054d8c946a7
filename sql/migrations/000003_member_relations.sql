-- The relations under which children are members, few and each of many rows: queries ask which there are, every time,
-- because a pattern with such a predicate reads documents too. From one to the next is one step in this index.
create index document_member_by on document (member_by) where member_by is not null;
