/**
 * Random queries as texts, so that the parser is tested too. They shrink to readable queries.
 *
 * Some are invalid (for example a BIND to a variable that was used before). `randomQuery` is for tests that skip these.
 */
import fc from 'fast-check'
import type {Term} from '../../src/rdf/term.ts'
import {rdf, xsd} from '../../src/rdf/vocabulary.ts'
import {contains, graphs, literals, namespace, nodes, predicates} from './random-data.ts'
import {randomExpression} from './random-expression.ts'

type Text = fc.Arbitrary<string>

/** A term in the syntax of SPARQL. */
export function sparqlText(term: Term): string {
  if (term.termType !== 'Literal') return `<${term.value}>`
  const quoted = JSON.stringify(term.value)
  if (term.datatype.value === rdf.langString) return `${quoted}@${term.language}`
  return term.datatype.value === xsd.string ? quoted : `${quoted}^^<${term.datatype.value}>`
}

export const variable: Text = fc.oneof(
  {weight: 12, arbitrary: fc.constantFrom('?x', '?y', '?z')},
  {weight: 1, arbitrary: fc.constantFrom('?e', '?g')},
)
const node = fc.constantFrom(...nodes.map(({value}) => `:${value.slice(namespace.length)}`))
const predicate = fc.constantFrom(...predicates.map(({value}) => `:${value.slice(namespace.length)}`))
const graph = fc.constantFrom(...graphs.map(({value}) => `:${value.slice(namespace.length)}`), ':absent')
/**
 * Without language tags in capitals, because a constant of a query also matches the usual case of its tag. Without
 * U+0000, which a query cannot contain.
 */
export const value: Text = fc.constantFrom(...literals.map(sparqlText).filter(text => !/@[A-Z]|\\u0000/.test(text)))

const subject: Text = fc.oneof({weight: 6, arbitrary: variable}, {weight: 2, arbitrary: node}, fc.constant('[]'))
const object: Text = fc.oneof({weight: 6, arbitrary: variable}, node, value, fc.constant('[]'))
const verb: Text = fc.oneof({weight: 6, arbitrary: predicate}, variable, fc.constant(`<${contains.value}>`))

function spaced(...parts: readonly Text[]): Text {
  return fc.tuple(...parts).map(texts => texts.join(' '))
}

const triple: Text = spaced(subject, verb, object, fc.constant('.'))
const triples: Text = fc.array(triple, {minLength: 1, maxLength: 2}).map(lines => lines.join(' '))

const {path} = fc.letrec<{path: string}>(tie => ({
  path: fc.oneof(
    {depthSize: 'small', maxDepth: 2},
    predicate,
    tie('path').map(one => `^(${one})`),
    fc.tuple(tie('path'), fc.constantFrom('*', '+', '?')).map(([one, sign]) => `(${one})${sign}`),
    fc.tuple(tie('path'), fc.constantFrom('/', '|'), tie('path')).map(([one, sign, two]) => `(${one}${sign}${two})`),
    fc
      .array(
        fc.tuple(fc.constantFrom('', '^'), predicate).map(parts => parts.join('')),
        {maxLength: 2},
      )
      .map(parts => `!(${parts.join('|')})`),
  ),
}))
const pathTriple: Text = spaced(fc.oneof({weight: 3, arbitrary: variable}, node), path, object, fc.constant('.'))

const cell: Text = fc.oneof({weight: 3, arbitrary: node}, {weight: 2, arbitrary: value}, fc.constant('UNDEF'))
const values: Text = fc
  .uniqueArray(fc.constantFrom('?x', '?y', '?z'), {minLength: 1, maxLength: 2})
  .chain(names =>
    fc
      .array(fc.array(cell, {minLength: names.length, maxLength: names.length}), {maxLength: 3})
      .map(rows => `VALUES (${names.join(' ')}) { ${rows.map(row => `(${row.join(' ')})`).join(' ')} }`),
  )

/** A group graph pattern with its braces. */
export function group(depth: number): Text {
  return fc.array(element(depth), {minLength: 1, maxLength: 3}).map(parts => `{ ${parts.join(' ')} }`)
}

function element(depth: number): Text {
  const leaf = [
    {weight: 6, arbitrary: triples},
    {weight: 2, arbitrary: pathTriple},
    {weight: 1, arbitrary: values},
  ]
  if (depth === 0) return fc.oneof(...leaf)
  const inner = group(depth - 1)
  const expression = randomExpression({depth: 2, variable, value, group: inner})
  return fc.oneof(
    ...leaf,
    {weight: 3, arbitrary: inner.map(text => `OPTIONAL ${text}`)},
    {weight: 2, arbitrary: spaced(inner, fc.constant('UNION'), inner)},
    {weight: 2, arbitrary: inner.map(text => `MINUS ${text}`)},
    {weight: 3, arbitrary: expression.map(text => `FILTER (${text})`)},
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('', 'NOT '), inner).map(([not, text]) => `FILTER ${not}EXISTS ${text}`),
    },
    {weight: 2, arbitrary: expression.map(text => `BIND (${text} AS ?e)`)},
    {weight: 2, arbitrary: spaced(fc.constant('GRAPH'), fc.oneof(fc.constant('?g'), graph, variable), inner)},
    {weight: 1, arbitrary: inner},
    {weight: 1, arbitrary: subSelect(inner)},
  )
}

const names: Text = fc.uniqueArray(variable, {minLength: 1, maxLength: 3}).map(list => list.join(' '))

/** Sub-selects have no LIMIT that would choose, because the specification leaves open which solutions remain. */
function subSelect(inner: Text): Text {
  const plain = spaced(
    fc.constantFrom('SELECT', 'SELECT DISTINCT'),
    names,
    inner,
    fc.constantFrom('', '', 'LIMIT 0', 'LIMIT 99'),
  )
  const grouped = fc
    .tuple(variable, variable, inner)
    .map(([key, counted, text]) => `SELECT ${key} (COUNT(${counted}) AS ?n) ${text} GROUP BY ${key}`)
  const extended = fc.tuple(names, inner).map(([list, text]) => `SELECT ${list} (STR(?x) AS ?v) ${text}`)
  return fc.oneof(plain, grouped, extended).map(text => `{ ${text} }`)
}

const prologue = `PREFIX : <${namespace}>\n`

const order: Text = fc
  .array(
    fc.tuple(fc.constantFrom('?x', '?y', 'DESC(?x)', 'DESC(?z)')).map(parts => parts.join(' ')),
    {maxLength: 2},
  )
  .map(keys => (keys.length === 0 ? '' : `ORDER BY ${keys.join(' ')}`))
const slice: Text = fc.constantFrom('', '', '', 'LIMIT 1', 'LIMIT 3', 'LIMIT 2 OFFSET 1', 'OFFSET 1', 'LIMIT 0')

/** FROM and FROM NAMED: if there is one, the query sees only named graphs. */
const from: Text = fc.oneof(
  {weight: 6, arbitrary: fc.constant('')},
  fc
    .array(
      fc.tuple(fc.constantFrom('FROM', 'FROM NAMED'), graph).map(parts => parts.join(' ')),
      {maxLength: 3},
    )
    .map(clauses => clauses.join(' ')),
)

const plainSelect: Text = fc
  .tuple(
    fc.constantFrom('*', '?x ?y ?z', 'DISTINCT ?x ?y ?z', 'REDUCED ?x ?y ?z', 'DISTINCT ?x', '?y (?x AS ?v)'),
    from,
    group(2),
    order,
    slice,
    fc.oneof({weight: 5, arbitrary: fc.constant('')}, values),
  )
  .map(([head, sources, where, by, some, rows]) => {
    const isKept = /^(?:\*|.*\?x \?y \?z)$/.test(head) // the answer has the keys of the order
    return `SELECT ${head} ${sources} ${where} ${isKept ? by : ''} ${some} ${rows}`
  })

const aggregate: Text = fc
  .tuple(
    fc.constantFrom(
      'COUNT(*)',
      'COUNT(DISTINCT *)',
      'COUNT(D)',
      'SUM(D)',
      'AVG(D)',
      'MIN(D)',
      'MAX(D)',
      'STRLEN(GROUP_CONCAT(D))',
    ),
    fc.constantFrom('', 'DISTINCT '),
    variable,
  )
  .map(([form, distinct, name]) => {
    const alias = /MIN|MAX/.test(form) ? '?m' : '?n' // ?m may be one of several terms: see comparison.ts
    return `(${form.replace('D)', `${distinct}${name})`)} AS ${alias})`
  })

const groupedSelect: Text = fc
  .tuple(
    fc.constantFrom('', 'x', 'y'),
    aggregate,
    group(2),
    fc.constantFrom('', '', 'HAVING (COUNT(*) > 1)', 'HAVING (SUM(?z) > 0)'),
  )
  .map(([key, made, where, having]) =>
    key === '' ? `SELECT ${made} ${where}` : `SELECT ?${key} ${made} ${where} GROUP BY ?${key} ${having}`,
  )

const ask: Text = fc.tuple(from, group(2)).map(parts => `ASK ${parts.join(' ')}`)

const constructText: Text = fc
  .tuple(
    fc.array(spaced(variable, fc.oneof(predicate, variable), variable, fc.constant('.')), {minLength: 1, maxLength: 3}),
    group(2),
  )
  .map(([template, where]) => `CONSTRUCT { ${template.join(' ')} } WHERE ${where}`)

const describeText: Text = fc
  .tuple(
    fc.array(fc.oneof({weight: 2, arbitrary: fc.constantFrom('?x', '?y')}, node, graph), {minLength: 1, maxLength: 2}),
    from,
    fc.oneof({weight: 3, arbitrary: group(2)}, fc.constant('')),
  )
  .map(([resources, sources, where]) => `DESCRIBE ${resources.join(' ')} ${sources} ${where}`)

/**
 * Any form of query, except paths of length zero in EXISTS: in the specification a term that no graph contains reaches
 * itself if it is substituted, but not if it is joined. The compiler joins.
 */
export const randomQuery: Text = fc
  .oneof(
    {weight: 6, arbitrary: plainSelect},
    {weight: 2, arbitrary: groupedSelect},
    {weight: 1, arbitrary: ask},
    {weight: 2, arbitrary: constructText},
    {weight: 2, arbitrary: describeText},
  )
  .filter(text => !/EXISTS.*\)[*?]/s.test(text)) // see `randomQuery`
  .map(text => prologue + text)

/** CONSTRUCT with a template of triples that patterns match and triples that are never stored. */
export const randomConstruct: Text = constructText.map(text => prologue + text)
