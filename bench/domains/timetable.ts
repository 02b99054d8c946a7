/**
 * Data like a public timetable (GTFS as linked data): agencies, routes, trips, stop times, calendars, stops in
 * stations, zones and transfers.
 *
 * Most quads describe stop times. Stops of the centre serve most routes. Each agency has a raw graph for its routes and
 * trips; stops are in a graph of their own.
 */
import {createRandom, pick} from '../../test/support/random.ts'
import {type Context, createAdd, literal, pad} from './lines.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const gtfs = 'http://vocab.gtfs.org/terms#'
const geo = 'http://www.w3.org/2003/01/geo/wgs84_pos#'
const foaf = 'http://xmlns.com/foaf/0.1/'
const dct = 'http://purl.org/dc/terms/'
const base = 'http://transit.example/'

const agencies = 12
const services = 60
const words = [
  ...'Market Station Bridge Church Mill Park Hill River Castle North South East West'.split(' '),
  ...'Old New Harbour University Airport Museum School'.split(' '),
]
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const types = ['Bus', 'Bus', 'Bus', 'Bus', 'LightRail', 'Subway', 'Rail', 'Ferry']

const add = createAdd(base)
const clock = (seconds: number) =>
  `"${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}"`

function addStops(context: Context, stops: number): void {
  const {random} = context
  for (let number = 0; number < stops; number += 1) {
    const subject = `stop/${number}`
    const title = `${pick(random, words)} ${pick(random, words)} ${number % 97}`
    const isStation = number % 10 === 0
    add(context, 'stops', [subject, `${rdf}type`, isStation ? `${gtfs}Station` : `${gtfs}Stop`])
    add(context, 'stops', [subject, `${foaf}name`, `"${title}"`])
    if (random.chance(0.5)) add(context, 'stops', [subject, `${rdfs}label`, `"${title} (halte)"@nl`])
    add(context, 'stops', [subject, `${gtfs}code`, `"S${String(number).padStart(5, '0')}"`])
    add(context, 'stops', [subject, `${geo}lat`, literal((50 + random.next()).toFixed(5), 'decimal')])
    add(context, 'stops', [subject, `${geo}long`, literal((4 + random.next()).toFixed(5), 'decimal')])
    add(context, 'stops', [subject, `${gtfs}zone`, `${base}zone/${random.popular(20)}`])
    if (!isStation) add(context, 'stops', [subject, `${gtfs}parentStation`, `${base}stop/${number - (number % 10)}`])
    if (random.chance(0.3))
      add(context, 'stops', [
        subject,
        `${gtfs}wheelchairAccessible`,
        literal(random.chance(0.7) ? 'true' : 'false', 'boolean'),
      ])
    if (random.chance(0.15)) {
      const transfer = `transfer/${number}`
      add(context, 'stops', [transfer, `${gtfs}originStop`, `${base}${subject}`])
      add(context, 'stops', [transfer, `${gtfs}destinationStop`, `${base}stop/${random.below(stops)}`])
      add(context, 'stops', [
        transfer,
        `${gtfs}minimumTransferTime`,
        literal(random.between(1, 10) * 60, 'nonNegativeInteger'),
      ])
    }
  }
  for (let zone = 1; zone < 20; zone += 1)
    add(context, 'stops', [`zone/${zone}`, `${gtfs}within`, `${base}zone/${Math.floor(zone / 2)}`])
}

function addServices(context: Context): void {
  const {random} = context
  for (let number = 0; number < services; number += 1) {
    const subject = `service/${number}`
    const [start, isWeekend] = [random.between(1, 6), number % 4 === 0]
    add(context, 'services', [subject, `${rdf}type`, `${gtfs}Service`])
    const rule = `rule/${number}`
    add(context, 'services', [subject, `${gtfs}serviceRule`, `${base}${rule}`])
    for (const [place, day] of days.entries())
      add(context, 'services', [rule, `${gtfs}${day}`, literal(place > 4 === isWeekend ? 'true' : 'false', 'boolean')])
    add(context, 'services', [rule, `${gtfs}startDate`, literal(`2026-${pad(start)}-01`, 'date')])
    add(context, 'services', [rule, `${gtfs}endDate`, literal(`2026-${pad(start + random.between(2, 6))}-28`, 'date')])
    for (let exception = random.below(8); exception > 0; exception -= 1) {
      const rule = `exception/${number}-${exception}`
      add(context, 'services', [subject, `${gtfs}serviceRule`, `${base}${rule}`])
      add(context, 'services', [
        rule,
        `${dct}date`,
        literal(`2026-${pad(random.between(1, 12))}-${pad(random.between(1, 28))}`, 'date'),
      ])
      add(context, 'services', [rule, `${gtfs}dateAddition`, literal(random.chance(0.5) ? 'true' : 'false', 'boolean')])
    }
  }
}

/** A route of an agency, its stops in order, and its trips. */
function addRoute(
  context: Context,
  number: number,
  {stops, trips}: {readonly stops: number; readonly trips: number},
): void {
  const {random} = context
  const agency = random.popular(agencies)
  const [subject, graph] = [`route/${number}`, `agency/${agency}`]
  add(context, graph, [subject, `${rdf}type`, `${gtfs}Route`])
  add(context, graph, [subject, `${gtfs}agency`, `${base}agency/${agency}`])
  add(context, graph, [subject, `${gtfs}shortName`, `"${number % 150}"`])
  add(context, graph, [subject, `${gtfs}longName`, `"${pick(random, words)} - ${pick(random, words)}"`])
  add(context, graph, [subject, `${gtfs}routeType`, `${gtfs}${pick(random, types)}`])
  if (random.chance(0.6))
    add(context, graph, [subject, `${gtfs}color`, `"${random.below(0xffffff).toString(16).padStart(6, '0')}"`])
  const line = Array.from({length: random.between(8, 36)}, () => random.popular(stops))
  const least = Math.max(1, Math.floor(trips / 2))
  for (let each = random.between(least, trips + least); each > 0; each -= 1)
    addTrip(context, {graph, route: number, each, line})
}

function addTrip(
  context: Context,
  {
    graph,
    route,
    each,
    line,
  }: {readonly graph: string; readonly route: number; readonly each: number; readonly line: readonly number[]},
): void {
  const {random} = context
  const subject = `trip/${route}-${each}`
  const isBack = each % 2 === 0
  add(context, graph, [subject, `${rdf}type`, `${gtfs}Trip`])
  add(context, graph, [subject, `${gtfs}route`, `${base}route/${route}`])
  add(context, graph, [subject, `${gtfs}service`, `${base}service/${random.popular(services)}`])
  add(context, graph, [subject, `${gtfs}headsign`, `"${pick(random, words)} ${pick(random, words)}"`])
  add(context, graph, [subject, `${gtfs}direction`, literal(isBack ? 1 : 0, 'integer')])
  if (random.chance(0.7)) add(context, graph, [subject, `${gtfs}block`, `"B${random.below(900)}"`])
  let time = 5 * 3600 + random.below(17 * 3600)
  for (const [place, stop] of (isBack ? [...line].reverse() : line).entries()) {
    const node = `stoptime/${route}-${each}-${place}`
    time += random.between(1, 6) * 60
    add(context, graph, [node, `${gtfs}trip`, `${base}${subject}`])
    add(context, graph, [node, `${gtfs}stop`, `${base}stop/${stop}`])
    add(context, graph, [node, `${gtfs}stopSequence`, literal(place + 1, 'integer')])
    add(context, graph, [node, `${gtfs}arrivalTime`, clock(time)])
    if (place % 7 === 0) time += 60
    add(context, graph, [node, `${gtfs}departureTime`, clock(time)])
    if (random.chance(0.1))
      add(context, graph, [node, `${gtfs}pickupType`, `${gtfs}${pick(random, ['NotAvailable', 'MustPhone'])}`])
  }
}

/** Lines of N-Quads, approximately this many. */
export function timetable(quads: number): readonly string[] {
  const context: Context = {random: createRandom(77_001), lines: []}
  const stops = Math.round(quads / 250)
  addStops(context, stops)
  addServices(context)
  for (let agency = 0; agency < agencies; agency += 1) {
    add(context, `agency/${agency}`, [`agency/${agency}`, `${rdf}type`, `${gtfs}Agency`])
    add(context, `agency/${agency}`, [`agency/${agency}`, `${foaf}name`, `"${pick(context.random, words)} Transport"`])
    if (agency > 2)
      add(context, `agency/${agency}`, [`agency/${agency}`, `${gtfs}partOf`, `${base}agency/${agency % 3}`])
  }
  for (let route = 0; context.lines.length < quads; route += 1) addRoute(context, route, {stops, trips: 16})
  return context.lines
}
