/**
 * Reads what a PromQL expression uses: its selectors, the function around each, and the labels it groups by.
 *
 * Knows the part of PromQL that deploy/ uses, and reports any other word. Knows no metric: monitoring.test.ts compares
 * with those of a service.
 * Source: Prometheus, "Querying basics", "Operators", "Functions".
 */

export type Matcher = {readonly label: string; readonly operator: string; readonly value: string}

export type Selector = {
  readonly metric: string
  readonly matchers: readonly Matcher[]
  readonly appliedFunction: string | undefined // directly around the selector, as in rate(x[5m])
  readonly isRange: boolean
}

export type Expression = {
  readonly selectors: readonly Selector[]
  readonly groupedBy: readonly string[] | undefined // undefined: the expression does not group
  readonly unknownWords: readonly string[]
}

const functions = new Set(['rate', 'increase', 'histogram_quantile', 'sum', 'max', 'count'])
const rangeFunctions = new Set(['rate', 'increase'])
const metric = /^(?:quadstead|process|nodejs)_\w+$|^up$/
const token = /"(?:[^"\\]|\\.)*"|[a-zA-Z_:][\w:]*|\{[^}]*\}|\[[^\]]*\]|\d+(?:\.\d+)?|[=!<>]=|[-+*/<>(),]|\S/g

export function readExpression(text: string): Expression {
  const [bare, groups] = withoutGroups(text)
  const tokens = bare.match(token) ?? []
  const selectors: Selector[] = []
  const unknownWords: string[] = []
  for (const [index, word] of tokens.entries()) {
    const next = tokens[index + 1] ?? ''
    if (metric.test(word)) {
      const [braces, range] = next.startsWith('{') ? [next, tokens[index + 2] ?? ''] : ['', next]
      const around = tokens[index - 1] === '(' ? tokens[index - 2] : undefined
      selectors.push({
        metric: word,
        matchers: readMatchers(braces),
        appliedFunction: around !== undefined && functions.has(around) ? around : undefined,
        isRange: range.startsWith('['),
      })
    } else if (/^[a-zA-Z_]/.test(word) && !(functions.has(word) && next === '(')) {
      unknownWords.push(word)
    }
  }
  return {selectors, groupedBy: groups.length === 0 ? undefined : groups.flat(), unknownWords}
}

/** Whether a function needs a range, as rate does. */
export function needsRange(name: string | undefined): boolean {
  return name !== undefined && rangeFunctions.has(name)
}

function withoutGroups(text: string): readonly [string, readonly (readonly string[])[]] {
  const groups: string[][] = []
  const bare = text.replace(/\bby \(([^)]*)\)/g, (_, labels: string) => {
    groups.push(labels.split(',').map(label => label.trim()))
    return ''
  })
  return [bare, groups]
}

function readMatchers(braces: string): readonly Matcher[] {
  return Array.from(
    braces.matchAll(/(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g),
    ([, label = '', operator = '', value = '']) => ({label, operator, value}),
  )
}

/** A page of metrics: types by family, and samples. */
export type Scrape = {
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly Sample[]
}
export type Sample = {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads Prometheus' text format. */
export function readScrape(text: string): Scrape {
  const lines = text.split('\n').filter(line => line !== '')
  const types = lines.flatMap(line => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    return name === undefined || type === undefined ? [] : [[name, type] as const]
  })
  const samples = lines
    .filter(line => !line.startsWith('#'))
    .map(line => {
      const [, name = '', braces = '', value = ''] = /^([\w:]+)(\{.*\})? (\S+)$/.exec(line) ?? []
      const labels = Object.fromEntries(readMatchers(braces).map(matcher => [matcher.label, matcher.value]))
      return {metric: name, labels, value: Number(value.replace('Inf', 'Infinity'))}
    })
  return {types: new Map(types), samples}
}

/** The type of a metric: that of its family for the parts of a histogram. */
export function typeOf({types}: Scrape, name: string): string | undefined {
  const family = name.replace(/_(?:bucket|sum|count)$/, '')
  const type = types.get(name) ?? types.get(family)
  return types.has(name) || type === 'histogram' || type === 'summary' ? type : undefined
}
