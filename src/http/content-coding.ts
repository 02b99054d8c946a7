/**
 * An Accept-Encoding header to the content coding of the response.
 *
 * Pure. Source: RFC 9110 §12.5.3.
 */
import {readParameter, splitList, splitOutsideQuotes} from './field.ts'
import {memoize} from './memo.ts'

export type ContentCoding = 'br' | 'gzip'

const codings = ['br', 'gzip'] as const // in order of preference at equal weight
const aliases = new Map([['x-gzip', 'gzip']])

/**
 * The coding to use; undefined for none.
 *
 * A coding with a lower weight than `identity` is not used. A client that excludes every coding, including `identity`,
 * gets an uncoded response, which RFC 9110 §12.5.3 allows.
 *
 * @param value  the field value; undefined if the field is absent
 */
export function chooseCoding(value: string | undefined): ContentCoding | undefined {
  return value === undefined ? undefined : choose(value)
}

const choose: (value: string) => ContentCoding | undefined = memoize(value => {
  const weights = new Map(splitList(value).map(readCoding))
  const any = weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  let best: ContentCoding | undefined
  let bestWeight = 0
  for (const coding of codings) {
    const weight = weights.get(coding) ?? any
    if (weight > bestWeight && weight >= plain) [best, bestWeight] = [coding, weight]
  }
  return best
})

function readCoding(member: string): readonly [string, number] {
  const [name = '', ...rest] = splitOutsideQuotes(member, ';')
  const weight = Number(rest.map(readParameter).find(parameter => parameter?.name === 'q')?.value ?? '1')
  const coding = name.toLowerCase()
  return [aliases.get(coding) ?? coding, weight >= 0 && weight <= 1 ? weight : 0]
}
