/**
 * Query texts to prepared queries, kept by text and by shape.
 *
 * Floor 4. A shape that is seen again is parsed once more, with marks in place of its constants; from then on its
 * queries are filled in, not parsed. One that cannot be filled in is remembered as such.
 */
import {isDeepStrictEqual} from 'node:util'
import {createLru} from '../base/lru.ts'
import type {Iri} from '../rdf/term.ts'
import type {Dataset} from '../sparql/algebra.ts'
import {type PreparedQuery, prepareQuery, refill} from '../sparql/compile.ts'
import {checkLength, defaultLimits, type QueryLimits} from '../sparql/limits.ts'
import {markedText, type Shape, shapeOf} from '../sparql/shape.ts'

/** @throws  Problem 400: see sparql/parse.ts */
export type Prepare = (
  text: string,
  base: Iri,
  dataset?: Dataset,
) => {readonly prepared: PreparedQuery; readonly isKept: boolean} // isKept: the very text was seen before

const textLimit = 20_000 // UTF-16 units of a query that is kept

/** @param keptPlans  texts, and shapes, that are kept */
export function createPrepare(keptPlans: number, limits?: QueryLimits): Prepare {
  const texts = createLru<string, PreparedQuery>(keptPlans)
  const shapes = createLru<string, PreparedQuery | 'seen' | 'unfit'>(keptPlans)

  function byShape(text: string, base: Iri, dataset: Dataset | undefined): PreparedQuery {
    const shape = shapeOf(text)
    if (shape === undefined) return prepareQuery(text, base, dataset, {limits})
    const key = JSON.stringify([shape.shape, base, dataset])
    const known = shapes.get(key)
    if (typeof known === 'object') {
      checkLength(text, limits ?? defaultLimits)
      return refill(known, shape.constants)
    }
    const prepared = prepareQuery(text, base, dataset, {limits})
    if (known === undefined) shapes.set(key, 'seen')
    if (known === 'seen') shapes.set(key, templateOf(shape, prepared, base, dataset) ?? 'unfit')
    return prepared
  }

  return (text, base, dataset) => {
    if (text.length > textLimit) return {prepared: prepareQuery(text, base, dataset, {limits}), isKept: false}
    const key = JSON.stringify([text, base, dataset])
    const known = texts.get(key)
    if (known !== undefined) return {prepared: known, isKept: true}
    const prepared = byShape(text, base, dataset)
    texts.set(key, prepared)
    return {prepared, isKept: false}
  }
}

/** What the marked text becomes, if filling it in gives what the text itself became. */
export function templateOf(
  {shape, constants}: Shape,
  prepared: PreparedQuery,
  base: Iri,
  dataset: Dataset | undefined,
): PreparedQuery | undefined {
  try {
    const template = prepareQuery(markedText(shape), base, dataset)
    return isDeepStrictEqual(refill(template, constants), prepared) ? template : undefined
  } catch {
    return undefined // another error than the text's own, which has none
  }
}
