-- DESCRIBE is compiled as other queries are.
drop function if exists triples_of_subjects(int8[], int8[]), triples_of_subjects_in(int8[], int8[], int8[]);
