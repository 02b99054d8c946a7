/** The extents of the terms that paths lead to, from those of the objects of their last steps. */
import type {PropertyPath} from '../../algebra.ts'
import {isByTriples} from '../../analyse/by-triples.ts'
import type {Planner} from '../block.ts'
import {type Extent, hullOf, nodes} from '../extent.ts'
import {objectExtent} from '../join/pattern.ts'

/** The extent of the ends of a path, as a part of their column; none if a start that is not stored may be an end. */
export function extentAfter(planner: Planner, path: PropertyPath): {readonly extent?: Extent} {
  const extent = isByTriples(path) ? extentOf(planner, path) : undefined
  return extent === undefined ? {} : {extent}
}

function extentOf(planner: Planner, path: PropertyPath): Extent | undefined {
  switch (path.type) {
    case 'link':
      return objectExtent(planner, planner.idOf({termType: 'NamedNode', value: path.iri}))
    case 'inverse':
      return path.path.type === 'link' ? nodes : objectExtent(planner, undefined)
    case 'sequence':
      return isByTriples(path.right) ? extentOf(planner, path.right) : objectExtent(planner, undefined)
    case 'alternative':
      return hullOf(path.paths.map(one => extentOf(planner, one)))
    case 'oneOrMore':
      return extentOf(planner, path.path)
    default:
      return objectExtent(planner, undefined)
  }
}
