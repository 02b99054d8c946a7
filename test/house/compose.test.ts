/**
 * The Dockerfile and the compose files, checked without Docker: their syntax, as far as the project uses it, and their
 * consistency with each other, with the settings and with the files of the project.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {Ajv} from 'ajv'
import test from 'ava'
import {parse} from 'yaml'
import {readConfig, settings} from '../../src/settings/config.ts'
import {projectDirectory as project} from '../support/program.ts'

const read = (name: string) => readFileSync(join(project, name), 'utf8')

type Service = {
  readonly image?: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, {readonly condition: string}>>
  readonly healthcheck?: {readonly test: readonly string[]}
  readonly stop_grace_period?: string
}
type Composition = {
  readonly services: Readonly<Record<string, Service>> & {readonly quadstead: Service}
  readonly volumes: Readonly<Record<string, null>>
}

const duration = {type: 'string', pattern: '^\\d+(ms|s|m)$'}
const service = {
  type: 'object',
  additionalProperties: false,
  oneOf: [{required: ['image']}, {required: ['build']}],
  required: ['environment', 'restart'],
  properties: {
    image: {type: 'string', pattern: '^[a-z0-9./_-]+:[\\w.-]+$'},
    build: {enum: ['.', '../..']},
    command: {type: 'array', items: {type: 'string'}, minItems: 1},
    entrypoint: {type: 'array', items: {type: 'string'}, minItems: 1},
    user: {type: 'string'},
    init: {type: 'boolean'},
    restart: {enum: ['no', 'always', 'on-failure', 'unless-stopped']},
    environment: {
      type: 'object',
      propertyNames: {pattern: '^[A-Z][A-Z0-9_]*$'},
      additionalProperties: {type: 'string'},
    },
    ports: {type: 'array', items: {type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+:\\d+$'}},
    volumes: {
      type: 'array',
      items: {type: 'string', pattern: '^(?:[a-z-]+:/[a-z/]+|\\./[a-z-]+\\.sh:/[a-z./-]+\\.sh:ro)$'},
    },
    stop_grace_period: duration,
    depends_on: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['condition'],
        properties: {condition: {enum: ['service_started', 'service_healthy', 'service_completed_successfully']}},
      },
    },
    healthcheck: {
      type: 'object',
      additionalProperties: false,
      required: ['test'],
      properties: {
        test: {type: 'array', items: [{enum: ['CMD', 'CMD-SHELL']}], additionalItems: {type: 'string'}, minItems: 2},
        interval: duration,
        timeout: duration,
        start_period: duration,
        retries: {type: 'integer', minimum: 1},
      },
    },
  },
}
const compositionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['services'],
  properties: {
    services: {type: 'object', additionalProperties: service},
    volumes: {type: 'object', additionalProperties: {type: 'null'}},
  },
}

/** The files, with the image of their servers, its folder of data, and the servers that the service connects to. */
const compositions = [
  {file: 'docker-compose.yml', image: 'postgres:18', data: '/var/lib/postgresql', reached: ['database']},
  {
    file: 'deploy/compose/compose.yml',
    image: 'postgres:18',
    data: '/var/lib/postgresql',
    reached: ['primary', 'replica'],
  },
  {
    file: 'deploy/compose/citus.yml',
    image: 'citusdata/citus:13.2.0',
    data: '/var/lib/postgresql/data',
    reached: ['coordinator'],
  },
].map(each => ({...each, composition: parse(read(each.file)) as Composition}))

/** [instruction, rest] of each line of the Dockerfile, with continued lines joined. */
const instructions = read('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(line => line.trim() !== '' && !line.startsWith('#'))
  .map(line => {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    return {name, rest}
  })
const restsOf = (wanted: string) => instructions.filter(({name}) => name === wanted).map(({rest}) => rest)
const imageEnvironment = Object.fromEntries(
  restsOf('ENV').flatMap(rest => rest.split(/\s+/).map(pair => pair.split('=') as [string, string])),
)

/** Replaces `${NAME:-default}` by the default. */
const substitute = (text: string) => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')

for (const {file, composition} of compositions) {
  test(`${file} has a valid form`, t => {
    const validate = new Ajv({strict: false, allErrors: true}).compile(compositionSchema)

    validate(composition)

    t.deepEqual(validate.errors, null)
  })
}

test('the Dockerfile has only instructions that exist', t => {
  const known = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'])

  t.deepEqual(
    instructions.filter(({name}) => !known.has(name)),
    [],
  )
  for (const rest of [...restsOf('CMD'), ...restsOf('HEALTHCHECK').map(rest => rest.replace(/^.*?CMD /, ''))]) {
    t.true(Array.isArray(JSON.parse(rest)))
  }
})

test('the files that the image copies exist and are not ignored', t => {
  const allowed = new Set(
    read('.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'))
      .map(line => line.slice(1)),
  )
  const copied = restsOf('COPY')
    .filter(rest => !rest.startsWith('--from'))
    .flatMap(rest => rest.split(/\s+/).slice(0, -1))

  t.deepEqual(
    copied.filter(source => !existsSync(join(project, source))),
    [],
  )
  t.deepEqual(
    copied.filter(source => !allowed.has(source)),
    [],
  )
  t.deepEqual(
    [...allowed].filter(source => source !== '' && !copied.includes(source)),
    [],
  )
})

test('the image and the package have all files that the program reads', t => {
  const sources = readdirSync(join(project, 'src'), {recursive: true, encoding: 'utf8'}).filter(name =>
    name.endsWith('.ts'),
  )
  const needed = sources.flatMap(name =>
    [...read(join('src', name)).matchAll(/new URL\('((?:\.\.\/)+)([\w.-]+)/g)]
      .filter(([, up = '']) => up.length / 3 > name.split('/').length - 1) // outside of src
      .map(([, , top = '']) => top),
  )
  const inImage = new Set(
    restsOf('COPY')
      .flatMap(rest => rest.split(/\s+/).filter(word => !word.startsWith('--')))
      .map(path => path.replace('/app/', '')),
  )
  const inPackage = new Set(['package.json', ...JSON.parse(read('package.json')).files])

  t.true(needed.includes('sql'))
  t.deepEqual(
    needed.filter(top => !inImage.has(top) || !inPackage.has(top)),
    [],
  )
})

for (const {file, image, data, reached, composition} of compositions) {
  const {quadstead} = composition.services
  const servers = Object.entries(composition.services).filter(([, {healthcheck}]) => healthcheck !== undefined)
  const [[primaryName, primary] = ['', undefined]] = servers

  test(`${file}: every variable is a setting with a valid value`, t => {
    const {NODE_ENV, MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_, ...others} = imageEnvironment
    const together = Object.fromEntries(
      Object.entries({...others, ...quadstead.environment}).map(([name, value]) => [name, substitute(value)]),
    )

    t.is(NODE_ENV, 'production')
    t.deepEqual([MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_], ['2', '131072'])
    t.deepEqual(
      Object.keys(together).filter(name => !Object.hasOwn(settings, name)),
      [],
    )
    t.notThrows(() => readConfig(together))
  })

  test(`${file}: the ports agree: in PORT, EXPOSE, the published port and the base`, t => {
    const {port, host, base} = readConfig({
      ...imageEnvironment,
      BASE_URL: substitute(quadstead.environment.BASE_URL ?? ''),
    })

    t.is(host, '0.0.0.0')
    t.deepEqual(restsOf('EXPOSE'), [String(port)])
    t.deepEqual(quadstead.ports, [`127.0.0.1:${port}:${port}`])
    t.is(base, `http://localhost:${port}/`)
  })

  test(`${file}: the service reaches each server by its name, user, password and database`, t => {
    const {DATABASE_URL = '', DATABASE_READ_URL = ''} = quadstead.environment
    const {database} = readConfig({
      DATABASE_URL: substitute(DATABASE_URL),
      DATABASE_READ_URL: substitute(DATABASE_READ_URL),
    })
    const {POSTGRES_USER, POSTGRES_PASSWORD = '', POSTGRES_DB} = primary?.environment ?? {}
    const login = {user: POSTGRES_USER, password: substitute(POSTGRES_PASSWORD), database: POSTGRES_DB}
    const addresses = [database.address, ...database.replicas]

    for (const address of addresses) t.like(address, login)
    t.deepEqual(
      addresses.flatMap(address => address?.hosts ?? []),
      reached.map(host => ({host, port: 5432})),
    )
  })

  test(`${file}: all wait until the primary is healthy, and the volumes contain the data`, t => {
    const awaited = (name: string): readonly string[] => [
      name,
      ...Object.keys(composition.services[name]?.depends_on ?? {}).flatMap(awaited),
    ]

    t.true(awaited('quadstead').includes(primaryName))
    for (const {depends_on = {}} of Object.values(composition.services))
      for (const [name, {condition}] of Object.entries(depends_on)) {
        const isServer = servers.some(([server]) => server === name)
        t.is(condition, isServer ? 'service_healthy' : 'service_completed_successfully')
      }
    for (const [name, server] of servers) {
      t.deepEqual(server.healthcheck?.test.slice(0, 4), ['CMD', 'pg_isready', '-h', '127.0.0.1'])
      t.is(server.image, image)
      t.is(server.volumes?.[0], `${name}:${data}`)
    }
    t.deepEqual(
      Object.keys(composition.volumes),
      servers.map(([name]) => name),
    )
  })

  test(`${file}: the mounted scripts and the folder of the image exist`, t => {
    const own = dirname(join(project, file))
    const mounted = Object.values(composition.services).flatMap(({volumes = []}) =>
      volumes.filter(volume => volume.startsWith('.')).map(volume => join(own, volume.split(':')[0] ?? '')),
    )

    t.deepEqual(
      [...mounted, join(own, quadstead.build ?? '', 'Dockerfile')].filter(path => !existsSync(path)),
      [],
    )
  })

  test(`${file}: the stop timeout is longer than the drain timeout`, t => {
    t.true(Number.parseInt(quadstead.stop_grace_period ?? '', 10) * 1000 > readConfig({}).limits.drainTimeoutMs)
  })
}

test("the image's Node is one that the package takes, and does not run as root", t => {
  const least = Number(/>=(\d+)/.exec(JSON.parse(read('package.json')).engines.node)?.[1])

  for (const rest of restsOf('FROM')) t.true(Number(/^node:(\d+)-slim/.exec(rest)?.[1]) >= least)
  t.deepEqual(restsOf('USER'), ['node'])
})
