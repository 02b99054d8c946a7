/**
 * A time series: observations of sensors at stations. Values depend on sensor and season, and few are flagged. One
 * graph for each sensor and month.
 */
import {createRandom} from '../support/random.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const own = 'http://example.org/series#'
const perObservation = 6.6 // quads
const hourMs = 3_600_000

export function* series(quads: number): Generator<string> {
  const random = createRandom(31_415_926)
  const observations = Math.max(100, Math.round(quads / perObservation))
  const sensors = Math.max(10, Math.round(Math.sqrt(observations) / 2))
  const stations = Math.ceil(sensors / 5)
  const line = (s: string, p: string, o: string, g: string) => `${s} <${p}> ${o} ${g} .\n`
  const typed = (value: string | number, type: string) => `"${value}"^^<${xsd}${type}>`
  const kindOf = (sensor: number) => ['Temperature', 'Pressure', 'Wind', 'Rain'][sensor % 4] ?? ''
  const frame = `<${own}network>`
  for (let n = 0; n < stations; n += 1) {
    const s = `<${own}station/${n}>`
    yield line(s, `${rdf}type`, `<${own}Station>`, frame)
    yield line(s, `${own}name`, `"station ${n}"@en`, frame)
    yield line(s, `${own}height`, typed(random.popular(3000), 'integer'), frame)
    yield line(s, `${own}within`, `<${own}region/${Math.floor(n / 4)}>`, frame)
  }
  for (let n = 0; n * 4 < stations; n += 1) yield line(`<${own}region/${n}>`, `${own}within`, upper(n), frame)
  for (let n = 0; n < sensors; n += 1) {
    const s = `<${own}sensor/${n}>`
    yield line(s, `${rdf}type`, `<${own}Sensor>`, frame)
    yield line(s, `${own}measures`, `<${own}${kindOf(n)}>`, frame)
    yield line(s, `${own}at`, `<${own}station/${n % stations}>`, frame)
    yield line(s, `${own}installed`, typed(`20${String(10 + (n % 12))}-03-01`, 'date'), frame)
  }
  for (let n = 0; n < observations; n += 1) {
    const sensor = random.chance(0.25) ? 0 : random.popular(sensors)
    const at = Date.UTC(2023, 0, 1) + Math.floor((n / observations) * 17_000) * hourMs
    const [s, time] = [`<${own}o/${n}>`, new Date(at).toISOString()]
    const g = `<${own}log/${sensor}/${time.slice(0, 7)}>`
    const season = Math.round(10 * Math.sin((at / hourMs / 8760) * 2 * Math.PI))
    yield line(s, `${rdf}type`, `<${own}Observation>`, g)
    yield line(s, `${own}by`, `<${own}sensor/${sensor}>`, g)
    yield line(s, `${own}time`, typed(time, 'dateTime'), g)
    yield line(s, `${own}value`, typed((sensor % 20) * 5 + season + random.below(100) / 10, 'decimal'), g)
    yield line(s, `${own}unit`, `"${kindOf(sensor).charAt(0)}"`, g)
    const isBad = sensor % 17 === 3 ? random.chance(0.4) : random.chance(0.002)
    if (isBad) yield line(s, `${own}flag`, `<${own}flag/${random.popular(6)}>`, g)
    if (random.chance(0.5))
      yield line(s, `${own}quality`, typed(isBad ? random.below(40) : 90 + random.below(10), 'integer'), g)
  }

  function upper(region: number): string {
    return region < 2 ? `<${own}world>` : `<${own}region/${Math.floor(region / 2)}>`
  }
}
