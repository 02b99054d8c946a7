/**
 * A stream of quads to whole nodes: all quads of one subject at once, with lists folded.
 *
 * This file handles order and memory. A `NodePrinter` knows the syntax.
 *
 * Nodes are printed as they arrive until the first node that could be part of a list: it refers to a blank node, or has
 * the shape of a list cell. From then on nodes are held back:
 *
 * 1. all nodes, up to `orderLimit` quads, so that a small document keeps its order;
 * 2. then only nodes that could be part of a list, up to `holdLimit` quads, until the end of the graph;
 * 3. then none: the rest of the graph is written with explicit rdf:first and rdf:rest.
 *
 * Memory is therefore bounded for any input.
 */
import type {Graph, Quad} from '../rdf/term.ts'
import {foldLists, isCellShaped, type Lists, noLists} from './list-folding.ts'
import type {QuadWriter} from './types.ts'

export type NodePrinter = {
  /** Called before the first node of a graph. */
  openGraph(graph: Graph): string
  /** Called with all quads of one subject, or with `groupLimit` of them at a time. */
  node(quads: readonly Quad[], lists: Lists): string
  closeGraph(graph: Graph): string
  end(): string
}

export type Grouping = {
  readonly graphs: 'kept' | 'merged' // merged: graph names are ignored
  readonly lists: 'folded' | 'explicit' // explicit: no node is held back
  readonly sharedLabels?: Pick<ReadonlySet<string>, 'has'> | undefined
}

const groupLimit = 50_000 // quads of one subject
const orderLimit = 1_000 // quads held back in their order
const holdLimit = 50_000 // quads held back for their lists

const noLabels: ReadonlySet<string> = new Set()

export function createNodeWriter(printer: NodePrinter, grouping: Grouping): QuadWriter<string> {
  const groups = new SubjectGroups(printer, grouping)
  return {write: quad => groups.write(quad), end: () => groups.end()}
}

class SubjectGroups {
  readonly #printer: NodePrinter
  readonly #mergesGraphs: boolean
  readonly #foldsLists: boolean
  readonly #shared: Pick<ReadonlySet<string>, 'has'>
  #group: Quad[] = []
  #held: (readonly Quad[])[] = []
  #heldQuads = 0
  #holding: 'in order' | 'lists only' | 'nothing' = 'in order'
  #graph: Graph | undefined

  constructor(printer: NodePrinter, grouping: Grouping) {
    this.#printer = printer
    this.#mergesGraphs = grouping.graphs === 'merged'
    this.#foldsLists = grouping.lists === 'folded'
    this.#shared = grouping.sharedLabels ?? noLabels
  }

  write(quad: Quad): string {
    const [last] = this.#group
    if (last !== undefined && this.#group.length < groupLimit && isSame(last.subject, quad.subject)) {
      if (this.#mergesGraphs || isSame(last.graph, quad.graph)) {
        this.#group.push(quad)
        return ''
      }
    }
    const before = this.#finishGroup()
    this.#group = [quad]
    if (this.#graph === undefined) return before + this.#open(quad.graph)
    if (this.#mergesGraphs || isSame(this.#graph, quad.graph)) return before
    return before + this.#close(this.#graph) + this.#open(quad.graph)
  }

  end(): string {
    const last = this.#finishGroup() + (this.#graph === undefined ? '' : this.#close(this.#graph))
    return last + this.#printer.end()
  }

  #open(graph: Graph): string {
    this.#graph = graph
    this.#holding = this.#foldsLists ? 'in order' : 'nothing'
    return this.#printer.openGraph(graph)
  }

  #close(graph: Graph): string {
    const lists = this.#held.length === 0 ? noLists : foldLists(this.#held, this.#shared)
    return this.#printHeld(lists) + this.#printer.closeGraph(graph)
  }

  #finishGroup(): string {
    const group = this.#group
    if (group.length === 0) return ''
    this.#group = []
    const mayHoldList = this.#holding !== 'nothing' && touchesLists(group)
    const keepsOrder = this.#holding === 'in order' && this.#held.length > 0
    if (!mayHoldList && !keepsOrder) return this.#printer.node(group, noLists)
    this.#held.push(group)
    this.#heldQuads += group.length
    return this.#release()
  }

  /** Prints held nodes if they exceed a limit. */
  #release(): string {
    let text = ''
    if (this.#holding === 'in order' && this.#heldQuads > orderLimit) {
      this.#holding = 'lists only'
      const waiting: (readonly Quad[])[] = []
      for (const group of this.#held) {
        if (touchesLists(group)) waiting.push(group)
        else text += this.#printer.node(group, noLists)
      }
      this.#held = waiting
      this.#heldQuads = waiting.reduce((sum, group) => sum + group.length, 0)
    }
    if (this.#heldQuads <= holdLimit) return text
    this.#holding = 'nothing'
    return text + this.#printHeld(noLists)
  }

  #printHeld(lists: Lists): string {
    let text = ''
    for (const group of this.#held) {
      if (!lists.cells.has(labelOf(group))) text += this.#printer.node(group, lists)
    }
    this.#held = []
    this.#heldQuads = 0
    return text
  }
}

function touchesLists(group: readonly Quad[]): boolean {
  for (const {object} of group) if (object.termType === 'BlankNode') return true
  return isCellShaped(group)
}

/** The label of a group's subject; for an IRI ' ', which is never a label. */
function labelOf(group: readonly Quad[]): string {
  const subject = group[0]?.subject
  return subject?.termType === 'BlankNode' ? subject.value : ' '
}

function isSame(left: Graph, right: Graph): boolean {
  return left === right || (left.value === right.value && left.termType === right.termType)
}
