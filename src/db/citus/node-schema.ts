/**
 * The schema of a dataset on the node that holds its shards: views instead of tables, and sequences of the node.
 *
 * The functions of sql/functions run on the node and reach the rows by these views, which PostgreSQL flattens when it
 * plans a statement. Citus has no part in it, so every statement that PostgreSQL can run works, with the same plans.
 *
 * - The views of `quad` and `term` have the columns ctid and xmin, because functions use these system columns.
 * - Sequences are local, so their numbers do not contain the number of the node. The distributed table `node_mark` has
 *   a number for each sequence, from which on all numbers are unused. A node takes a block of numbers before it gives
 *   out the first, so no number is used again after a move, and entity tags increase.
 * - `hold_place` takes the lock that `citus_schema_move` needs exclusively before it switches to another node. A writer
 *   therefore either commits before the switch, and is moved, or is refused. Its commit waits until the log is
 *   written, also if `synchronous_commit` is off: a move copies what the log holds when the lock is free, and would
 *   leave behind a commit that is still in memory.
 */
import {quoteIdentifier} from '../connection/identifier.ts'
import type {Place, Shard} from './place.ts'
import {tablesSchema} from './place.ts'

/** Tables whose system columns functions use. */
const withSystemColumns = new Set(['quad', 'term'])

/** Sequences, with the columns whose defaults use them. */
export const sequences = [
  {name: 'term_seq'},
  {name: 'blank_node_seq'},
  {name: 'revision_seq', column: ['document', 'revision']},
  {name: 'audit_id_seq', column: ['audit', 'id']},
  {name: 'change_seq'},
  {name: 'webhook_id_seq', column: ['webhook', 'id']},
  {name: 'follow_id_seq', column: ['follow', 'id']},
] as const

/** The numbers that a node takes at a time. Ids of terms have room for 2^24 blocks. */
export const blockNumbers = 2 ** 36

/** Makes the commit of a transaction wait until the log is written, if it would not. */
export const writtenCommit = `select set_config('synchronous_commit', 'local', true)
   where current_setting('synchronous_commit') = 'off'`

/** Lock modes of PostgreSQL, as Citus numbers them. */
const shareLock = 5

/** The name of a shard's table on its node. */
export function shardName(schema: string, {table, id}: Shard): string {
  return `${quoteIdentifier(tablesSchema(schema))}.${quoteIdentifier(`${table}_${id}`)}`
}

/** The shard of a table. */
export function shardOf({shards}: Place, table: string): Shard {
  const found = shards.find(shard => shard.table === table)
  if (found === undefined) throw new Error(`the distributed schema has no table ${table}`)
  return found
}

/** Statements for the new schema: types and views. Runs with the schema in the search_path. */
export function viewsText(schema: string, place: Place): string {
  const views = place.shards.map(shard => {
    const columns = withSystemColumns.has(shard.table) ? 't.*, t.ctid, t.xmin' : 't.*'
    const from = shardName(schema, shard)
    return `create or replace view ${quoteIdentifier(shard.table)} as select ${columns} from ${from} as t`
  })
  const defaults = sequences.flatMap(sequence => {
    if (!('column' in sequence)) return []
    const [table, column] = sequence.column
    return [`alter view ${table} alter column ${column} set default nextval('${sequence.name}')`]
  })
  return [...views, ...defaults].join(';\n')
}

/** Replaces the functions of sql/functions/term/place.sql. */
export function placeFunctionsText(schema: string, place: Place): string {
  const shard = shardOf(place, 'dataset').id
  return `
create or replace function store_relation(relation text, table_name text) returns regclass
language plpgsql stable strict
security definer -- its callers need no rights on the schema of the shards
set search_path from current
as ${literal(storeRelationBody(schema, place))};

comment on function store_relation(text, text) is 'A shard of the dataset, or an index of one.';

create or replace function hold_place() returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  ${writtenCommit.replace('select', 'perform')};
  perform pg_catalog.lock_shard_metadata(${shareLock}, array[${shard}]::int8[]);
  if not exists (select from pg_catalog.pg_dist_placement as p
                  where p.shardid = ${shard} and p.groupid = ${place.group}) then
    raise exception 'The dataset is moving to another server; try again in a moment.'
      using errcode = 'QS503', constraint = 'dataset-moving';
  end if;
end
$$;

comment on function hold_place() is 'Keeps the dataset on this node until the transaction ends; writers call it.';

create or replace function reach_number(sequence text, number int8) returns void
language plpgsql
security definer -- only the owner may change a sequence
set search_path from current
as $$
declare
  v_row pg_sequence := (select s from pg_sequence as s where s.seqrelid = sequence::regclass);
begin
  perform hold_place();
  if number > v_row.seqmax then
    update node_mark set value = (number / ${blockNumbers} + 1) * ${blockNumbers} where name = sequence;
    execute format('alter sequence %s maxvalue %s', v_row.seqrelid::regclass,
                   (select m.value - 1 from node_mark as m where m.name = sequence));
  end if;
  if number > coalesce(pg_sequence_last_value(v_row.seqrelid), v_row.seqmin - 1) then
    perform setval(v_row.seqrelid, number);
  end if;
end
$$;

comment on function reach_number(text, int8) is 'Sets a sequence so that its next numbers are greater than a number.';
`
}

/** The body of `store_relation`. It is written as a literal, because the name of the schema may contain `$$`. */
function storeRelationBody(schema: string, place: Place): string {
  const names = place.shards.map(({table, id}) => `${literal(table)}, ${literal(`_${id}`)}`).join(', ')
  return `
declare
  v_shard text := jsonb_build_object(${names}) ->> table_name;
begin
  return case when v_shard is not null
              then to_regclass(format('%I.%I', ${literal(tablesSchema(schema))}, relation || v_shard)) end;
end
`
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
