/**
 * The manifests of deploy/kubernetes, checked without a cluster: their form, as far as the project uses it, and their
 * consistency with each other, the image and the settings. test/life/deployment.test.ts runs the service with them.
 *
 * The form is that of the reference of the Kubernetes API (apps/v1, v1, policy/v1). Unknown members are refused, so a
 * misspelt one is found.
 */
import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import ava from 'ava'
import {parse, parseAllDocuments} from 'yaml'
import {readConfig, settings} from '../../src/settings/config.ts'
import {readContainer, readSettingsFile} from '../support/deployment.ts'
import {canRun} from '../support/machine.ts'
import {projectDirectory as project} from '../support/program.ts'
import {testWhen} from '../support/test-when.ts'

const test = ava
const folder = join(project, 'deploy/kubernetes')
const read = (name: string) => parse(readFileSync(join(folder, name), 'utf8'))

const text = {type: 'string'}
const count = {type: 'integer', minimum: 1}
const names = {type: 'object', additionalProperties: text}
const quantity = {type: 'string', pattern: '^\\d+(?:m|Ki|Mi|Gi)?$'}
const quantities = {
  type: 'object',
  additionalProperties: false,
  properties: {cpu: quantity, memory: quantity, 'ephemeral-storage': quantity},
}

/** An object with these members only, all required unless they are listed as optional. */
function exactly(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter(name => !optional.includes(name))
  return {type: 'object', additionalProperties: false, properties, required}
}

function listOf(items: object) {
  return {type: 'array', minItems: 1, items}
}

const selector = exactly({matchLabels: names})
const metadata = exactly({name: {const: 'quadstead'}, labels: names})
const probe = exactly({
  httpGet: exactly({path: {type: 'string', pattern: '^/'}, port: text}),
  periodSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
})
const container = exactly({
  name: text,
  image: text,
  envFrom: listOf({oneOf: ['configMapRef', 'secretRef'].map(kind => exactly({[kind]: exactly({name: text})}))}),
  ports: listOf(exactly({name: text, containerPort: count})),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: exactly({requests: quantities, limits: quantities}),
  securityContext: exactly({
    allowPrivilegeEscalation: {const: false},
    readOnlyRootFilesystem: {const: true},
    capabilities: exactly({drop: {const: ['ALL']}}),
  }),
  volumeMounts: listOf(exactly({name: text, mountPath: text, readOnly: {const: true}}, ['readOnly'])),
})
const pod = exactly({
  automountServiceAccountToken: {const: false},
  terminationGracePeriodSeconds: count,
  securityContext: exactly({
    runAsNonRoot: {const: true},
    runAsUser: count,
    runAsGroup: count,
    fsGroup: count,
    seccompProfile: exactly({type: {const: 'RuntimeDefault'}}),
  }),
  topologySpreadConstraints: listOf(
    exactly({maxSkew: count, topologyKey: text, whenUnsatisfiable: {const: 'ScheduleAnyway'}, labelSelector: selector}),
  ),
  containers: {...listOf(container), maxItems: 1},
  volumes: listOf({
    oneOf: [
      exactly({name: text, emptyDir: exactly({sizeLimit: quantity})}),
      exactly({name: text, secret: exactly({secretName: text, optional: {const: true}})}),
    ],
  }),
})
const forms: Readonly<Record<string, object>> = {
  'deployment.yaml': exactly({
    apiVersion: {const: 'apps/v1'},
    kind: {const: 'Deployment'},
    metadata,
    spec: exactly({
      replicas: {type: 'integer', minimum: 2},
      selector,
      strategy: exactly({
        type: {const: 'RollingUpdate'},
        rollingUpdate: exactly({maxSurge: count, maxUnavailable: {const: 0}}),
      }),
      template: exactly({metadata: exactly({labels: names, annotations: names}), spec: pod}),
    }),
  }),
  'service.yaml': exactly({
    apiVersion: {const: 'v1'},
    kind: {const: 'Service'},
    metadata,
    spec: exactly({selector: names, ports: listOf(exactly({name: text, port: count, targetPort: text}))}),
  }),
  'disruption-budget.yaml': exactly({
    apiVersion: {const: 'policy/v1'},
    kind: {const: 'PodDisruptionBudget'},
    metadata,
    spec: exactly({maxUnavailable: {const: 1}, selector}),
  }),
  'kustomization.yaml': exactly({
    apiVersion: {const: 'kustomize.config.k8s.io/v1beta1'},
    kind: {const: 'Kustomization'},
    resources: listOf(text),
    images: listOf(exactly({name: text, newName: text, newTag: text})),
    configMapGenerator: listOf(exactly({name: text, envs: listOf(text)})),
  }),
}

const deployment = read('deployment.yaml')
const {template, selector: selected} = deployment.spec
const {ports, image, envFrom, volumeMounts, resources} = readContainer()
const given = readSettingsFile()
const config = readConfig({...given, HOST: '0.0.0.0'})

test('every manifest has a valid form, and the kustomization names each', t => {
  for (const [name, form] of Object.entries(forms)) {
    const validate = new Ajv({strict: false, allErrors: true}).compile(form)
    validate(read(name))
    t.deepEqual(validate.errors, null, name)
  }
  const {resources: named, images, configMapGenerator} = read('kustomization.yaml')

  t.deepEqual(readdirSync(folder).sort(), [...Object.keys(forms), 'settings.env'].sort())
  t.deepEqual([...named, 'kustomization.yaml'].sort(), Object.keys(forms).sort())
  t.is(images[0].name, image)
  t.is(images[0].newTag, JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version)
  t.deepEqual(configMapGenerator, [{name: envFrom[0]?.configMapRef?.name, envs: ['settings.env']}])
})

test('service, budget and spreading select the pods of the deployment', t => {
  const labels = selected.matchLabels
  const [spread] = template.spec.topologySpreadConstraints

  t.deepEqual(template.metadata.labels, labels)
  t.deepEqual(read('service.yaml').spec.selector, labels)
  t.deepEqual(read('disruption-budget.yaml').spec.selector.matchLabels, labels)
  t.deepEqual(spread.labelSelector.matchLabels, labels)
})

test('the settings are valid, and their ports are those of the container', t => {
  const {annotations} = template.metadata

  t.deepEqual(
    Object.keys(given).filter(name => !Object.hasOwn(settings, name)),
    [],
  )
  t.deepEqual(ports, [
    {name: 'http', containerPort: config.port},
    {name: 'metrics', containerPort: config.operation.metrics?.port},
  ])
  t.is(annotations['prometheus.io/port'], String(config.operation.metrics?.port))
  t.is(read('service.yaml').spec.ports[0].targetPort, 'http')
})

test('a pod may take as long to end as its requests may, and buffer as much as the settings allow', t => {
  const closingMs = 10_000
  const {operation, limits, spool} = config
  const [buffer] = template.spec.volumes
  const gibibytes = (size: string) => Number.parseInt(size, 10) * 2 ** 30

  t.true(
    template.spec.terminationGracePeriodSeconds * 1000 >= operation.drainDelayMs + limits.drainTimeoutMs + closingMs,
  )
  t.is(volumeMounts.find(({name}) => name === buffer.name)?.mountPath, spool.directory)
  t.true(gibibytes(buffer.emptyDir.sizeLimit) > spool.totalBytes)
  t.true(gibibytes(resources.limits['ephemeral-storage'] ?? '') > gibibytes(buffer.emptyDir.sizeLimit))
})

test('the user of the pod is that of the image', t => {
  const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8')

  t.regex(dockerfile, /^USER node$/m) // 1000 in the images of Node.js
  t.is(template.spec.securityContext.runAsUser, 1000)
})

testWhen(canRun('kubectl', ['kustomize', '--help']), 'no kubectl here')('kubectl renders the kustomization', t => {
  const rendered = execFileSync('kubectl', ['kustomize', folder], {encoding: 'utf8'})
  const objects = parseAllDocuments(rendered).map(document => document.toJS())
  const map = objects.find(({kind}) => kind === 'ConfigMap')
  const [shown] = objects.find(({kind}) => kind === 'Deployment').spec.template.spec.containers

  t.deepEqual(objects.map(({kind}) => kind).sort(), ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service'])
  t.deepEqual(map.data, given)
  t.is(shown.envFrom[0].configMapRef.name, map.metadata.name)
  t.regex(shown.image, /^registry\.example\/quadstead:\d/)
})
