/** Reads what deploy/kubernetes says of the container: its probes, ports and settings. */
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'yaml'
import {projectDirectory} from './program.ts'
import type {Settings} from './service.ts'

type Probe = {readonly httpGet: {readonly path: string; readonly port: string}}

export type Container = {
  readonly image: string
  readonly ports: readonly {readonly name: string; readonly containerPort: number}[]
  readonly envFrom: readonly {readonly configMapRef?: {readonly name: string}}[]
  readonly resources: {readonly limits: Readonly<Record<string, string>>}
  readonly volumeMounts: readonly {readonly name: string; readonly mountPath: string}[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

const read = (name: string) => readFileSync(join(projectDirectory, 'deploy/kubernetes', name), 'utf8')

export function readContainer(): Container {
  return parse(read('deployment.yaml')).spec.template.spec.containers[0]
}

/** The settings of deploy/kubernetes/settings.env. */
export function readSettingsFile(): Settings {
  const lines = read('settings.env')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map(line => line.split(/=(.*)/s, 2)))
}
