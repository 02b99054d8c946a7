/**
 * A social graph whose degrees follow a power law: one person has a third of all followers. One graph for each person;
 * some edges are in the graphs of both ends.
 */
import {createRandom} from '../support/random.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const own = 'http://example.org/social#'
const perPerson = 42 // quads, including the person's posts

export function* social(quads: number): Generator<string> {
  const random = createRandom(7_654_321)
  const people = Math.max(20, Math.round(quads / perPerson))
  const person = (n: number) => `<${own}person/${n}>`
  const post = (n: number, k: number) => `<${own}post/${n}-${k}>`
  const line = (s: string, p: string, o: string, g: string) => `${s} <${p}> ${o} ${g} .\n`
  const typed = (value: string | number, type: string) => `"${value}"^^<${xsd}${type}>`
  const dayMs = 86_400_000
  for (let n = 0; n < people; n += 1) {
    const [s, g] = [person(n), `<${own}of/${n}>`]
    const city = random.popular(200)
    const country = city % 20
    yield line(s, `${rdf}type`, `<${own}Person>`, g)
    yield line(s, `${own}name`, `"person ${n}"`, g)
    yield line(s, `${own}city`, `<${own}city/${city}>`, g)
    yield line(s, `${own}country`, `<${own}country/${country}>`, g)
    yield line(s, `${own}language`, random.chance(0.9) ? `"l${country % 7}"` : '"l0"', g)
    yield line(s, `${own}age`, typed(18 + (country % 5) * 4 + random.below(40), 'integer'), g)
    const joined = Date.UTC(2015, 0, 1) + Math.floor((n / people) * 3000) * dayMs
    yield line(s, `${own}joined`, typed(new Date(joined).toISOString(), 'dateTime'), g)
    if (n > 0) yield line(s, `${own}invitedBy`, person(random.popular(n)), g)
    for (let k = random.popular(25) + 1; k > 0; k -= 1) {
      const other = random.chance(1 / 3) ? 0 : random.popular(people)
      yield line(s, `${own}follows`, person(other), g)
      if (random.chance(0.1)) yield line(s, `${own}follows`, person(other), `<${own}of/${other}>`)
    }
    for (let k = random.popular(8); k > 0; k -= 1) {
      const [p, at] = [post(n, k), joined + random.below(2000) * dayMs + random.below(dayMs)]
      yield line(p, `${rdf}type`, `<${own}Post>`, g)
      yield line(p, `${own}author`, s, g)
      yield line(p, `${own}written`, typed(new Date(at).toISOString(), 'dateTime'), g)
      yield line(p, `${own}topic`, `<${own}topic/${random.chance(0.7) ? city : random.popular(400)}>`, g)
      yield line(p, `${own}score`, typed(random.popular(1000), 'integer'), g)
      if (k > 1 && random.chance(0.5)) yield line(p, `${own}answers`, post(random.popular(n + 1), 1), g)
      for (let likes = random.popular(6); likes > 0; likes -= 1)
        yield line(person(random.popular(people)), `${own}likes`, p, g)
    }
  }
}
