/**
 * The queries of bench:whole, each with SQL written by hand: over the same table, by ids, terms looked up last.
 */
import {shop} from '../data.ts'

export type Query = {readonly name: string; readonly text: string; readonly byHand: string}

const prefixes = `PREFIX s: <${shop}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> `
const [type, label] = [
  '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>',
  '<http://www.w3.org/2000/01/rdf-schema#label>',
]
const [maker, tag, stock, weight, country, released] = ['maker', 'tag', 'stock', 'weight', 'country', 'released'].map(
  name => `<${shop}${name}>`,
)

/** Triples of the default graph; `of(p)`: those of a predicate. */
const all = 'select s, p, o from quadstead.quad where copy is null'
const of = (predicate: string | undefined) => `${all} and p = ${predicate}`
const integer = (id: string) => `((${id} & 1152921504606846975) >> 4) - 36028797018963968`
const millionths = (id: string) => `((${id} & 1152921504606846975) >> 5) - 9007199254740992`

// biome-ignore format: a table with one row per query
const queries: readonly (readonly [name: string, text: string, byHand: string])[] = [
  ['count of a predicate', 'SELECT (COUNT(*) AS ?n) { ?s rdfs:label ?o }', `select count(*) from (${of(label)}) q`],
  ['count of all', 'SELECT (COUNT(*) AS ?n) { ?s a ?o . }', `select count(*) from (${of(type)}) q`],
  ['subjects of a predicate', 'SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s rdfs:label ?o }',
    `select count(*) from (select distinct s from (${of(label)}) q) q`],
  ['objects of a predicate', 'SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s rdfs:label ?o }',
    `select count(*) from (select distinct o from (${of(label)}) q) q`],
  ['objects with counts', 'SELECT ?o (COUNT(*) AS ?n) { ?s s:maker ?o } GROUP BY ?o',
    `select o, count(*) from (${of(maker)}) q group by o`],
  ['classes with counts', 'SELECT ?t (COUNT(?s) AS ?n) { ?s a ?t } GROUP BY ?t',
    `select o, count(*) from (${of(type)}) q group by o`],
  ['classes with different subjects', 'SELECT ?t (COUNT(DISTINCT ?s) AS ?n) { ?s a ?t } GROUP BY ?t',
    `select o, count(*) from (${of(type)}) q group by o`],
  ['average by group', 'SELECT ?g (AVG(?v) AS ?a) { ?s s:maker ?g ; s:stock ?v } GROUP BY ?g',
    `select g.o, avg(${integer('v.o')}) from (${of(maker)}) g join (${of(stock)}) v on v.s = g.s group by g.o`],
  ['four totals by group',
    `SELECT ?g (AVG(?v) AS ?a) (MIN(?v) AS ?b) (MAX(?v) AS ?c) (SUM(?v) AS ?d)
       { ?s s:maker ?g ; s:weight ?v } GROUP BY ?g`,
    `select g.o, avg(x), min(x), max(x), sum(x) from (${of(maker)}) g
       join (select s, ${millionths('o')} as x from (${of(weight)}) q) v on v.s = g.s group by g.o`],
  ['average by subject', 'SELECT ?s (AVG(?v) AS ?a) { ?s s:weight ?v } GROUP BY ?s',
    `select s, avg(${millionths('o')}) from (${of(weight)}) q group by s`],
  ['average by label of the group',
    'SELECT ?l (AVG(?v) AS ?a) { ?s s:maker ?g ; s:stock ?v . ?g rdfs:label ?l } GROUP BY ?l',
    `select l.o, sum(g.sum) / sum(g.n) from (select g.o, sum(${integer('v.o')}), count(*) as n from (${of(maker)}) g
       join (${of(stock)}) v on v.s = g.s group by g.o) g join (${of(label)}) l on l.s = g.o group by l.o`],
  ['average by a property of the group',
    'SELECT ?c (AVG(?v) AS ?a) { ?s s:maker ?g ; s:stock ?v . ?g s:country ?c } GROUP BY ?c',
    `select l.o, sum(g.sum) / sum(g.n) from (select g.o, sum(${integer('v.o')}), count(*) as n from (${of(maker)}) g
       join (${of(stock)}) v on v.s = g.s group by g.o) g join (${of(country)}) l on l.s = g.o group by l.o`],
  ['predicates', 'SELECT DISTINCT ?p { ?s ?p ?o }', `select p from quadstead.quad where copy is null group by p`],
  ['classes', 'SELECT DISTINCT ?t { ?s a ?t }', `select o from (${of(type)}) q group by o`],
  ['different subjects', 'SELECT DISTINCT ?s { ?s rdfs:label ?o }', `select distinct s from (${of(label)}) q`],
  ['different objects', 'SELECT DISTINCT ?o { ?s s:maker ?o }', `select distinct o from (${of(maker)}) q`],
  ['top groups', 'SELECT ?o (COUNT(*) AS ?n) { ?s s:tag ?o } GROUP BY ?o ORDER BY DESC(?n) LIMIT 10',
    `select o, count(*) from (${of(tag)}) q group by o order by 2 desc limit 10`],
  ['top subjects', 'SELECT ?s (COUNT(*) AS ?n) { ?s s:tag ?o } GROUP BY ?s ORDER BY DESC(?n) LIMIT 10',
    `select s, count(*) from (${of(tag)}) q group by s order by 2 desc limit 10`],
  ['groups above a number', 'SELECT ?o (COUNT(*) AS ?n) { ?s s:tag ?o } GROUP BY ?o HAVING(COUNT(*) > 100)',
    `select o, count(*) from (${of(tag)}) q group by o having count(*) > 100`],
  ['years with counts', 'SELECT ?y (COUNT(*) AS ?n) { ?s s:released ?d BIND(YEAR(?d) AS ?y) } GROUP BY ?y',
    `select date_part('year', timestamp '1970-01-01' + (((o & 1152921504606846975) >> 9) - 70368744177664)
       * interval '1 millisecond'), count(*) from (${of(released)}) q group by 1`],
  ['totals of a predicate', 'SELECT (MAX(?v) AS ?a) (MIN(?v) AS ?b) (AVG(?v) AS ?c) (SUM(?v) AS ?d) { ?s s:stock ?v }',
    `select max(x), min(x), avg(x), sum(x) from (select ${integer('o')} as x from (${of(stock)}) q) q`],
  ['extremes of strings', 'SELECT (MAX(?v) AS ?a) (MIN(?v) AS ?b) { ?s rdfs:label ?v }',
    `select max(t.lex), min(t.lex) from (${of(label)}) q join quadstead.term t on t.id = q.o`],
]

export const wholeQueries: readonly Query[] = queries.map(([name, text, byHand]) => {
  return {name, text: prefixes + text, byHand}
})
