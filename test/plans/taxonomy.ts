/**
 * A deep class hierarchy, with restrictions as blank nodes, unions as lists, and individuals whose properties depend on
 * their classes. Few large graphs; labels are also in the graph of an index.
 */
import {createRandom} from '../support/random.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const owl = 'http://www.w3.org/2002/07/owl#'
const own = 'http://example.org/taxonomy#'
const modules = 12
const perClass = 24 // quads, including its share of individuals

export function* taxonomy(quads: number): Generator<string> {
  const random = createRandom(1_234_567)
  const classes = Math.max(20, Math.round(quads / perClass))
  const moduleOf = (n: number) => `<${own}module/${Math.floor((n * modules) / classes)}>`
  const line = (s: string, p: string, o: string, g: string) => `${s} <${p}> ${o} ${g} .\n`
  const parents: number[] = []
  const named = (n: number) => `<${own}C${n}>`
  for (let n = 0; n < classes; n += 1) {
    const [s, g] = [named(n), moduleOf(n)]
    const parent = n === 0 ? 0 : Math.max(0, n - 1 - random.popular(60))
    parents.push(parent)
    const label = `"class ${n} of ${parent}"@en`
    yield line(s, `${rdf}type`, `<${owl}Class>`, g)
    yield line(s, `${rdfs}label`, label, g)
    yield line(s, `${rdfs}label`, label, `<${own}module/index>`)
    yield line(s, `${own}rank`, `"${n % 7}"^^<http://www.w3.org/2001/XMLSchema#integer>`, g)
    if (n > 0) yield line(s, `${rdfs}subClassOf`, named(parent), g)
    if (random.chance(0.15) && n > 0) yield line(s, `${rdfs}subClassOf`, named(random.below(n)), g)
    if (random.chance(0.3)) yield* restriction(s, n, g)
    if (random.chance(0.1)) yield* union(s, n, g)
  }
  const individuals = classes * 2
  for (let n = 0; n < individuals; n += 1) {
    const type = random.chance(0.3) ? classes - 1 - random.popular(classes) : random.popular(classes)
    const [s, g] = [`<${own}i${n}>`, moduleOf(type)]
    yield line(s, `${rdf}type`, named(type), g)
    yield line(s, `${rdfs}label`, `"thing ${n}"`, g)
    yield line(s, `${own}mass`, `"${type + random.below(50)}"^^<http://www.w3.org/2001/XMLSchema#integer>`, g)
    if (n > 0) yield line(s, `${own}partOf`, `<${own}i${Math.floor(n / 3)}>`, g)
    if (type % 5 === 0) yield line(s, `${own}status`, '"checked"', g)
    else if (random.chance(0.02)) yield line(s, `${own}status`, '"doubtful"', g)
    for (let link = random.below(3); link > 0; link -= 1) {
      yield line(s, `${own}p${type % 40}`, `<${own}i${random.popular(individuals)}>`, g)
    }
  }

  function* restriction(s: string, n: number, g: string): Generator<string> {
    const node = `_:r${n}`
    yield line(s, `${rdfs}subClassOf`, node, g)
    yield line(node, `${rdf}type`, `<${owl}Restriction>`, g)
    yield line(node, `${owl}onProperty`, `<${own}p${n % 40}>`, g)
    yield line(node, `${owl}someValuesFrom`, named(random.popular(classes)), g)
  }

  function* union(s: string, n: number, g: string): Generator<string> {
    const cells = Array.from({length: random.between(2, 6)}, (_, index) => `_:l${n}x${index}`)
    yield line(s, `${owl}equivalentClass`, `_:u${n}`, g)
    yield line(`_:u${n}`, `${owl}unionOf`, cells[0] ?? `<${rdf}nil>`, g)
    for (const [index, cell] of cells.entries()) {
      yield line(cell, `${rdf}first`, named(random.below(classes)), g)
      yield line(cell, `${rdf}rest`, cells[index + 1] ?? `<${rdf}nil>`, g)
    }
  }
}
