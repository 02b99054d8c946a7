/**
 * Prints the longest delay of the event loop for each case: `npm run fuzz:delays -- --only turtle;GET`.
 *
 * --only selects cases by parts of their names, separated by semicolons. --length is the length of bodies in
 * characters. Listens on loopback only, with a PostgreSQL of its own.
 */
import {parseArgs} from 'node:util'
import {startMeasuredService} from '../support/loop-delay.ts'
import {startTestServer} from '../support/servers.ts'
import {answerCases, bodyCases, makeDocuments, measureCase, writeCases} from './loop-cases.ts'

const {values} = parseArgs({
  options: {length: {type: 'string', default: '10400000'}, only: {type: 'string', default: ''}},
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const server = await startTestServer()
process.env.TEST_DATABASE_URL = server.url
try {
  const service = await startMeasuredService()
  await makeDocuments(service)
  const all = [...answerCases(), ...bodyCases(Number(values.length)), ...writeCases()]
  print('| case | longest delay, ms | answers | whole, ms |\n|---|---|---|---|')
  const parts = values.only.split(';')
  for (const each of all.filter(({name}) => parts.some(part => name.includes(part)))) {
    const begun = performance.now()
    const {delayMs, answers} = await measureCase(service, each)
    const told = answers.map(({status, text}) => (status < 400 ? status : `${status} ${ruleOf(text)}`)).join(', ')
    print(`| ${each.name} | ${Math.round(delayMs)} | ${told} | ${Math.round(performance.now() - begun)} |`)
  }
  await service.stop()
} finally {
  await server.stop()
}

function ruleOf(text: string): string {
  return /"title":\s*"([^"]*)"/.exec(text)?.[1] ?? ''
}
