/** Steps that read: their responses must show one state. */
import {c, ldp} from '../support/documents.ts'
import {isSame, linesOf, read, show, write} from './lines.ts'
import {childrenOf, type Model, type ModelDocument, shown} from './model.ts'
import type {StepOf} from './steps.ts'
import {candidates, conditionFor, faultOfStatus, isTime, type Prepared, pathOf, type Real} from './world.ts'

/** A GET, with If-None-Match or with a listing. */
export async function readOne(step: StepOf<'read'>, {iri}: ModelDocument, real: Real): Promise<Prepared> {
  const isListing = step.includes && step.condition === 'none'
  const condition = await conditionFor(real, iri, step.condition, 'If-None-Match')
  const prefer = isListing ? {Prefer: `include="${ldp}PreferContainment"`} : {}
  const headers = {Accept: 'application/n-triples', ...prefer, ...condition.headers}
  return {
    send: () => real.service.send({path: pathOf(real, iri), headers}),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) return faultOfStatus(answer, 404)
      const isKnown = step.condition !== 'none' && condition.holds(now)
      if (isKnown || answer.status !== 200) return faultOfStatus(answer, isKnown ? 304 : 200)
      const lines = linesOf(answer.text).filter(line => !isTime(line))
      const children = isListing ? containment(now, document) : []
      return isSame(lines, [...shown(now, document), ...children]) ? undefined : `another text: ${lines.join('\n')}`
    },
  }
}

/** A query for all triples of some documents, by graph or together. */
export function query({isUnion}: StepOf<'query'>, model: Model, real: Real): Prepared {
  const iris = [...new Set(candidates(model, real))]
  const values = iris.map(show).join(' ')
  const pattern = isUnion ? `VALUES ?s { ${values} } ?s ?p ?o` : `VALUES ?g { ${values} } GRAPH ?g { ?s ?p ?o }`
  const body = `SELECT * { ${pattern} FILTER(?p NOT IN (<${c}created>, <${c}modified>)) }`
  const headers = {'Content-Type': 'application/sparql-query', Accept: 'application/sparql-results+json'}
  return {
    send: () => real.service.send({method: 'POST', path: '/', headers, body}),
    settle(now, answer) {
      if (answer.status !== 200) return faultOfStatus(answer, 200)
      const rows = rowsOf(answer.text)
      const graphs = new Map(
        iris.map(iri => {
          const document = now.documents.get(iri)
          return [iri, document === undefined ? [] : graphOf(now, document)] as const
        }),
      )
      if (isUnion) {
        const all = [...new Set([...now.documents.values()].flatMap(each => graphOf(now, each)))]
        const expected = all.filter(line => iris.includes(read(line)[0]))
        return faultOfRows(
          'the union',
          rows.map(({line}) => line),
          expected,
        )
      }
      const faults = [...graphs].map(([iri, expected]) => {
        const found = rows.filter(({graph}) => graph === iri).map(({line}) => line)
        return faultOfRows(iri, found, expected)
      })
      return faults.find(fault => fault !== undefined)
    },
  }
}

function faultOfRows(where: string, found: readonly string[], expected: readonly string[]): string | undefined {
  return isSame(found, expected) ? undefined : `${where}: ${found.join('\n')}\ninstead of\n${expected.join('\n')}`
}

/** A query for a document's graph, including triples that a GET does not show. */
function graphOf(model: Model, document: ModelDocument): readonly string[] {
  const members = childrenOf(model, document.iri).flatMap(({iri, memberBy}) =>
    memberBy === undefined ? [] : [write([document.iri, memberBy, iri])],
  )
  return [...new Set([...shown(model, document), ...containment(model, document), ...members])]
}

function containment(model: Model, {iri}: ModelDocument): readonly string[] {
  return childrenOf(model, iri).map(child => write([iri, `${ldp}contains`, child.iri]))
}

type Value = {readonly type: string; readonly value: string; readonly datatype?: string; readonly 'xml:lang'?: string}

function rowsOf(text: string): readonly {readonly graph: string | undefined; readonly line: string}[] {
  type Row = {readonly s: Value; readonly p: Value; readonly o: Value; readonly g?: Value}
  const rows: readonly Row[] = JSON.parse(text).results.bindings
  return rows.map(({s, p, o, g}) => ({graph: g?.value, line: write([termOf(s), termOf(p), termOf(o)])}))
}

function termOf({type, value, datatype, 'xml:lang': language}: Value): string {
  if (type === 'uri') return value
  if (type === 'bnode') return `_:${value}`
  const suffix = datatype === undefined ? '' : `^^<${datatype}>`
  return `${JSON.stringify(value)}${language === undefined ? suffix : `@${language}`}`
}
