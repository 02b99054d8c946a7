/**
 * A list of allowed origins with wildcards, and a test whether it allows the origin of an Origin header.
 *
 * Pure. Sources: RFC 6454 §6.2 (serialised origins), Fetch §3.2 (CORS).
 */

export type OriginRule = {
  readonly scheme: string // '*': any origin at all
  readonly host: string // in lower case
  readonly isSuffix: boolean // matches names below the host, not the host itself
  readonly port: string // '' for the default port of the scheme, '*' for any
}

const ruleSyntax = /^([a-z][a-z0-9+.-]*):\/\/(\*\.)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}|\*))?$/
const originSyntax = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/
const defaultPorts = new Map([
  ['http', '80'],
  ['https', '443'],
])

/**
 * Reads rules: origins separated by blanks or commas, `*` for every origin, or `none`.
 *
 * @returns  undefined if one of them is invalid
 */
export function readOrigins(text: string): readonly OriginRule[] | undefined {
  if (text.trim() === 'none') return []
  const rules = text
    .split(/[\s,]+/)
    .filter(word => word !== '')
    .map(readRule)
  return rules.length === 0 || rules.includes(undefined) ? undefined : rules.filter(rule => rule !== undefined)
}

function readRule(word: string): OriginRule | undefined {
  if (word === '*') return {scheme: '*', host: '', isSuffix: false, port: '*'}
  const match = ruleSyntax.exec(word.toLowerCase().replace(/\/$/, ''))
  if (match === null) return undefined
  const [, scheme = '', wildcard, host = '', port = ''] = match
  return {scheme, host, isSuffix: wildcard !== undefined, port: plainPort(scheme, port)}
}

/** Whether the rules allow an origin. `null` and invalid origins are allowed by `*` only. */
export function isAllowedOrigin(rules: readonly OriginRule[], origin: string): boolean {
  const match = originSyntax.exec(origin.toLowerCase())
  const [, scheme = '', host = '', port = ''] = match ?? []
  return rules.some(
    rule =>
      rule.scheme === '*' ||
      (rule.scheme === scheme &&
        (rule.isSuffix ? host.endsWith(`.${rule.host}`) : host === rule.host) &&
        (rule.port === '*' || rule.port === plainPort(scheme, port))),
  )
}

function plainPort(scheme: string, port: string): string {
  return defaultPorts.get(scheme) === port ? '' : port
}
