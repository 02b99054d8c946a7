/** The readers of the registry by media type, for the suites. */
import {formatOfMediaType} from '../../src/format/registry.ts'
import type {Parse} from '../../src/format/types.ts'

export type {Parse}

export function parseOf(mediaType: string): Parse {
  const parse = formatOfMediaType(mediaType)?.parse
  if (parse === undefined) throw new Error(`No reader of ${mediaType}`)
  return parse
}
