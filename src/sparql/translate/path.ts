/**
 * Translates property paths to joins and triple patterns as far as possible, and the rest to path nodes.
 *
 * Pure. Sources: SPARQL 1.1 §18.2.2.3 (path expressions), §18.2.2.4 (path patterns).
 */
import type {NamedNode} from '../../rdf/term.ts'
import {type Algebra, join, type PatternTerm, type PropertyPath, variable} from '../algebra.ts'
import type {SyntaxPath} from '../parse/syntax.ts'

/** Translates a path expression (§18.2.2.3). */
export function translatePath(syntax: NamedNode | SyntaxPath): PropertyPath {
  if ('termType' in syntax) return {type: 'link', iri: syntax.value}
  switch (syntax.pathType) {
    case '!':
      return negatedSet(syntax.items.flatMap(membersOf))
    case '|':
      return {type: 'alternative', paths: syntax.items.map(translatePath)}
    case '/':
      return syntax.items.map(translatePath).reduceRight((right, left) => ({type: 'sequence', left, right}))
  }
  const [item] = syntax.items
  if (item === undefined) throw new Error(`the parser made a path ${syntax.pathType} of nothing`)
  const path = translatePath(item)
  return syntax.pathType === '^' ? {type: 'inverse', path} : closureOf(path, signs[syntax.pathType])
}

/** Whether a closure matches zero steps, and more than one step. */
type Steps = {readonly none: boolean; readonly many: boolean}

const signs: Readonly<Record<'?' | '*' | '+', Steps>> = {
  '?': {none: true, many: false},
  '*': {none: true, many: true},
  '+': {none: false, many: true},
}

/**
 * Simplifies nested closures to one closure, also in alternatives:
 *
 *   (p*)+ => p*    (p?)? => p?    (^(p+))? => (^p)*    (p*|q)+ => (p|q)*    (p+|q)? => (p+|q)?
 *
 * Closures are sets (§18.4), so no duplicate is lost. A term that is in no graph matches itself only through the
 * outermost closure.
 */
function closureOf(path: PropertyPath, steps: Steps): PropertyPath {
  const {none, inner} = bare(path, steps.many)
  if (steps.many) return {type: none || steps.none ? 'zeroOrMore' : 'oneOrMore', path: inner}
  if (inner.type === 'oneOrMore') return {type: 'zeroOrMore', path: inner.path}
  return {type: 'zeroOrOne', path: inner}
}

/** Removes from a path the closure that the closure around it implies. */
function bare(path: PropertyPath, isMany: boolean): {readonly none: boolean; readonly inner: PropertyPath} {
  switch (path.type) {
    case 'zeroOrOne':
      return {none: true, inner: bare(path.path, isMany).inner}
    case 'zeroOrMore':
    case 'oneOrMore': {
      const {none, inner} = bare(path.path, true)
      return {none: none || path.type === 'zeroOrMore', inner: isMany ? inner : {type: 'oneOrMore', path: inner}}
    }
    case 'inverse': {
      const {none, inner} = bare(path.path, isMany)
      return {none, inner: inner.type === 'oneOrMore' ? {...inner, path: invert(inner.path)} : invert(inner)}
    }
    case 'alternative': {
      const members = path.paths.map(one => bare(one, isMany))
      return {none: members.some(({none}) => none), inner: {...path, paths: members.map(({inner}) => inner)}}
    }
    default:
      return {none: false, inner: path}
  }
}

function invert(path: PropertyPath): PropertyPath {
  return path.type === 'inverse' ? path.path : {type: 'inverse', path}
}

/** The members of a negated property set. The parser may wrap them in one alternative. */
function membersOf(item: NamedNode | SyntaxPath): readonly (NamedNode | SyntaxPath)[] {
  return 'pathType' in item && item.pathType === '|' ? item.items : [item]
}

function negatedSet(members: readonly (NamedNode | SyntaxPath)[]): PropertyPath {
  const forward = members.flatMap(member => ('termType' in member ? [member.value] : []))
  const backward = members.flatMap(member =>
    'pathType' in member ? member.items.flatMap(item => ('termType' in item ? [item.value] : [])) : [],
  )
  const has = backward.length === 0 ? 'forward' : forward.length === 0 ? 'backward' : 'both'
  return {type: 'negated', forward, backward, has}
}

/** Translates a path pattern (§18.2.2.4). `fresh` returns a name for the variable between two steps. */
export function pathPattern(
  subject: PatternTerm,
  path: PropertyPath,
  object: PatternTerm,
  fresh: () => string,
): Algebra {
  switch (path.type) {
    case 'link':
      return {type: 'bgp', patterns: [{subject, predicate: {termType: 'NamedNode', value: path.iri}, object}]}
    case 'inverse':
      return pathPattern(object, path.path, subject, fresh)
    case 'sequence': {
      const between = variable(fresh())
      return join(pathPattern(subject, path.left, between, fresh), pathPattern(between, path.right, object, fresh))
    }
    case 'alternative':
      return path.paths.every(isStep)
        ? {type: 'path', subject, path, object}
        : {type: 'union', inputs: path.paths.map(one => pathPattern(subject, one, object, fresh))}
    default:
      return {type: 'path', subject, path, object}
  }
}

/** Whether a path matches single triples. An alternative of such paths is one scan. */
function isStep(path: PropertyPath): boolean {
  return path.type === 'link'
}
