/**
 * Clients of other projects use the service as their remote store, if their libraries are on this machine (README.md).
 */
import {execFile, spawnSync} from 'node:child_process'
import {existsSync, readdirSync} from 'node:fs'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {brokenInvariants} from '../support/members.ts'
import {projectDirectory} from '../support/program.ts'
import {startService, type TestService} from '../support/service.ts'
import {testWhen} from '../support/test-when.ts'

const run = promisify(execFile)

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(async t => {
  t.deepEqual(await brokenInvariants(service), [])
  await service.stop()
})

const programs = `${projectDirectory}test/clients/`
const libraries = `${projectDirectory}.clients/java/`
const python = `${projectDirectory}.clients/python/bin/python`

const runs = (...[program, ...parameters]: readonly [string, ...string[]]) =>
  spawnSync(program, parameters).status === 0
const jars = existsSync(libraries) && runs('java', '-version') ? readdirSync(libraries) : []
const hasLibrary = (name: string) => jars.some(jar => jar.startsWith(name))
const why = (name: string) => `no ${name} here: test/clients/README.md`

/** Runs a client and compares the lines that it prints. A client that finds a difference fails. */
async function expectLines(t: ExecutionContext, command: readonly [string, ...string[]], lines: readonly string[]) {
  t.timeout(600_000)
  const [program, ...parameters] = command
  const {stdout} = await run(program, [...parameters, service.base], {timeout: 600_000})
  t.deepEqual(stdout.trim().split('\n'), lines)
}

const java = (name: string) => ['java', '-cp', `${libraries}*`, `${programs}${name}.java`] as const

testWhen(hasLibrary('jena-rdfconnection'), why('Jena'))("Jena's RDFConnection", t =>
  expectLines(t, java('JenaClient'), [
    'put of a new graph',
    'load',
    'put of a graph that exists',
    'put of what was fetched',
    'query',
    'update',
    'fetch of the default graph',
    'delete',
  ]),
)

testWhen(hasLibrary('rdf4j-repository-sparql'), why('RDF4J'))("RDF4J's SPARQLRepository", t =>
  expectLines(t, java('Rdf4jClient'), [
    'add',
    'remove',
    'transaction',
    'update',
    'query',
    'graph store: read',
    'clear',
  ]),
)

testWhen(runs(python, '-c', 'import rdflib'), why('rdflib'))("rdflib's SPARQLUpdateStore", t =>
  expectLines(
    t,
    [python, `${programs}rdflib_client.py`],
    [
      'add',
      'remove',
      'update',
      'query',
      'graph store: read',
      'graph store: put',
      'graph store: post',
      'graph store: default graph',
      'drop',
    ],
  ),
)

testWhen(existsSync(`${projectDirectory}.clients/node/node_modules/ldes-client`), why('ldes-client'))(
  'ldes-client replicates 10,000 documents, stays in sync, and ends with equal graphs',
  t =>
    expectLines(
      t,
      ['node', `${programs}ldes_client.mjs`],
      ['replicated 10000 documents', 'in sync after 1100 changes', 'equal graphs'],
    ),
)
