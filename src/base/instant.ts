/**
 * Instants and spans of time as people and programs write them.
 *
 * Floor 0. Pure. Sources: RFC 3339 §5.6.
 */

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Reads `2027-01-31T00:00:00Z`, to the millisecond; undefined for anything else, also without a time zone. */
export function readInstant(text: string): Date | undefined {
  const date = new Date(text)
  const isReal = instant.test(text) && !Number.isNaN(date.getTime())
  return isReal && dayExists(text) && date.getTime() >= 0 && date.getUTCFullYear() <= 9999 ? date : undefined
}

/** JavaScript takes the 31st of February for the 3rd of March. */
function dayExists(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const unitsMs: Readonly<Record<string, number>> = {m: 60_000, h: 3_600_000, d: 86_400_000}

/** Reads `90m`, `12h` or `30d`, in milliseconds; undefined for anything else, and for more than 99999 of a unit. */
export function readSpan(text: string): number | undefined {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return unitMs === undefined ? undefined : Number(number) * unitMs
}
