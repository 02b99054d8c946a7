/**
 * Destination and Overwrite fields of a MOVE or COPY.
 *
 * Pure. The store checks which documents exist and where the caller may write.
 * Sources: RFC 4918 §10.3 (Destination), §10.6 (Overwrite); docs/interface.md, Moving and copying.
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {trimBlanks} from './field.ts'
import {readRequestTarget} from './request-target.ts'

/**
 * Reads the Destination fields of one request: an absolute path, or a URL of this service.
 *
 * @param values  each field as Node gives it, not joined
 * @param base    the URL below which the documents are
 * @returns       the IRI of a document below the base, which ends with a slash
 * @throws        Problem 400 `destination-valid`: none, several, or no document's · 502 `destination-here`: elsewhere
 */
export function readDestination(values: readonly string[], base: string): string {
  const [value, ...others] = values.map(trimBlanks)
  if (value === undefined || others.length > 0) throw invalid(`one Destination field is needed, got ${values.length}`)
  const {origin, pathname} = new URL(base)
  if (!value.startsWith('/') && !URL.canParse(value))
    throw invalid(`"${excerpt(value)}" is neither an absolute path nor a URL`)
  if (!value.startsWith('/') && new URL(value).origin !== origin)
    throw new Problem(502, 'destination-here', `<${excerpt(value)}> is on another server than <${base}>.`)
  if (/[?#]/.test(value)) throw invalid(`<${excerpt(value)}> has a query or a fragment`)
  const path = pathOf(value)
  if (!path.startsWith(pathname) || path === pathname)
    throw invalid(`<${excerpt(value)}> is not the URL of a document below <${base}>`)
  return base + path.slice(pathname.length) + (path.endsWith('/') ? '' : '/')
}

/** @throws  Problem 400 `destination-valid` */
function pathOf(value: string): string {
  try {
    return readRequestTarget(value).path
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(400, 'destination-valid', `The Destination is not valid: ${error.message}`, {cause: error})
  }
}

/**
 * Reads the Overwrite fields of one request.
 *
 * @returns  whether a document at the destination may be overwritten: true unless the value is `F` (RFC 4918 §10.6)
 * @throws   Problem 400 `overwrite-known`
 */
export function readOverwrite(values: readonly string[]): boolean {
  const [value = 'T', ...others] = values.map(trimBlanks)
  if (others.length > 0 || (value !== 'T' && value !== 'F'))
    throw new Problem(400, 'overwrite-known', `Overwrite must be T or F, got "${excerpt(values.join(', '))}"`)
  return value === 'T'
}

function invalid(reason: string): Problem {
  return new Problem(400, 'destination-valid', `The Destination cannot be used, so nothing was done: ${reason}.`)
}
