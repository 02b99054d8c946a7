/**
 * The statements that the service sends, to measure them without the service: in a Koa server with only one of them,
 * and in pgbench.
 */
import {encodeGraphs} from '../../src/db/store/graph-codec.ts'
import {quadLimit} from '../../src/db/store/session.ts'
import {base, schema, triplesOf} from './documents.ts'

const mark = '@@'

/** Reads a document's rows with a plain SELECT, joined with the terms; $1 is its IRI. */
export const selectRows = `
  select d.revision, d.modified, q.s, q.p, q.o, s.lex as subject, p.lex as predicate, o.lex as object,
         o.datatype, o.lang
    from ${schema}.term as t
    join ${schema}.document as d on d.id = t.id
    join ${schema}.quad as q on q.g = d.id
    left join ${schema}.term as s on s.id = q.s
    left join ${schema}.term as p on p.id = q.p
    left join ${schema}.term as o on o.id = q.o
   where t.hash = encode(substr(sha256(convert_to('I' || $1::text, 'UTF8')), 1, 16), 'hex')::uuid`

/** For pgbench: the read function on one of `count` documents. */
export function readScript(path: string, count: number): string {
  const iri = `'${base}${path}' || :n::text || '/'`
  const call = `read_documents(array[${iri}], null, array[${quadLimit}])`
  return `\\set n random(0, ${count - 1})\nselect * from ${schema}.${call};\n`
}

/** For pgbench: the create function with the document that POST sends. */
export function createScript(parent: string): string {
  const iri = `${base}${parent}${mark}/`
  const {keys, references} = encodeGraphs([triplesOf(iri, mark, 7)])
  const arrays = references.map(numbers => `'{${numbers.join(',')}}'`).join(', ')
  const keyTexts = keys.map(marked).join(', ')
  const call = `create_document(${marked(iri)}, '${base}${parent}', array[${keyTexts}], ${arrays})`
  return (
    '\\set n random(1, 1000000000000000)\n' +
    `select w.blank_nodes, w.etag, w.modified, w.is_access_point from ${schema}.${call} as w;\n`
  )
}

function marked(text: string): string {
  const parts = text.split(mark).map(part => `'${part.replaceAll("'", "''")}'`)
  return parts.join(' || :n::text || ')
}

/** Tables of the plain floors: one row with its primary key. */
export const plainTables = `
  create schema floors;
  create table floors.plain (id int8 primary key, body text not null);
  insert into floors.plain select n, repeat('x', 200) from generate_series(0, 99999) as n;
  create table floors.plain_insert (id int8 generated always as identity primary key, body text not null);
  analyze floors.plain;`

export const plainSelect = '\\set n random(0, 99999)\nselect body from floors.plain where id = :n;\n'
export const plainInsert = `insert into floors.plain_insert (body) values ('${'x'.repeat(200)}');\n`
