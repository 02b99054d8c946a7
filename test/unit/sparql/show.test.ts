/** Algebra as s-expressions: every operator, every kind of path, expression and term. */
import test from 'ava'
import {prepareQuery} from '../../../src/sparql/compile.ts'
import {showAlgebra} from '../../../src/sparql/print/show.ts'

/** The text of a query's algebra after translation, with the namespace removed. */
function show(text: string): string {
  const shown: string[] = []
  prepareQuery(`PREFIX : <http://e/#> ${text}`, 'http://e/', undefined, {
    observe: (_, tree) => shown.push(showAlgebra(tree)),
  })
  return (shown[0] ?? '').replaceAll('<http://e/#', '<')
}

test('solutions: slice, distinct, project, order, filter and patterns, nested', t => {
  t.is(
    show(
      'SELECT DISTINCT ?n { ?b :name ?n ; :price ?p FILTER(?p < 10 && ?n != "Emma"@en) } ORDER BY DESC(?p) ?n LIMIT 3 OFFSET 6',
    ),
    `(slice 6 3
  (distinct
    (project (?n)
      (orderBy ((desc ?p) (asc ?n))
        (filter (&& (< ?p 10) (!= ?n "Emma"@en))
          (bgp
            (triple ?b <name> ?n)
            (triple ?b <price> ?p)))))))`,
  )
})

test('groups: optional, union, minus, graph, bind, values', t => {
  t.is(
    show(`SELECT * {
      GRAPH ?g { ?a :p ?b }
      OPTIONAL { ?b :q ?c FILTER(?c > 1.5) }
      MINUS { ?a :r true }
      { ?a :s "x" } UNION { ?a :t "1"^^:unit }
      BIND(CONCAT(STR(?a), "\\n") AS ?d)
      VALUES (?a ?c) { (:x UNDEF) (UNDEF 1e0) } }`),
    `(project (?g ?a ?b ?c ?d)
  (join
    (extend ((?d (concat (str ?a) "\\n")))
      (join
        (minus
          (leftJoin
            (graph ?g
              (bgp
                (triple ?a <p> ?b)))
            (bgp
              (triple ?b <q> ?c))
            (> ?c 1.5))
          (bgp
            (triple ?a <r> true)))
        (union
          (bgp
            (triple ?a <s> "x"))
          (bgp
            (triple ?a <t> "1"^^<unit>)))))
    (values (?a ?c)
      (row <x> undef)
      (row undef 1e0))))`,
  )
})

test('paths', t => {
  t.is(
    show('ASK { ?a (:p|^:q)* ?b . ?a !(:r|^:s) ?c . ?c (:t/:u)+ ?d . ?d :v? ?a }'),
    `(join
  (join
    (join
      (path ?a (zeroOrMore (alternative <p> (inverse <q>))) ?b)
      (path ?a (negated <r> (inverse <s>)) ?c))
    (path ?c (oneOrMore (sequence <t> <u>)) ?d))
  (path ?d (zeroOrOne <v>) ?a))`,
  )
})

test('groups by keys, aggregates, EXISTS on one line, casts', t => {
  t.is(
    show(`SELECT ?k (COUNT(DISTINCT ?v) AS ?n) (GROUP_CONCAT(?v; SEPARATOR=", ") AS ?all)
      { ?k :p ?v FILTER NOT EXISTS { ?v :q 1 } }
      GROUP BY ?k HAVING(COUNT(*) > <http://www.w3.org/2001/XMLSchema#integer>("1"))`),
    `(project (?k ?n ?all)
  (extend ((?all ?.2))
    (extend ((?n ?.1))
      (filter (> ?.0 (<http://www.w3.org/2001/XMLSchema#integer> "1"))
        (group (?k) ((?.0 (count *)) (?.1 (count distinct ?v)) (?.2 (group_concat ?v (separator ", "))))
          (filter (notExists (bgp (triple ?v <q> 1)))
            (bgp
              (triple ?k <p> ?v))))))))`,
  )
})

test('a pattern without triples is the unit', t => {
  t.is(show('ASK {}'), '(unit)')
})
