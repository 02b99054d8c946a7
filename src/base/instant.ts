/**
 * Instants and time spans as people and programs write them.
 *
 * Pure. Source: RFC 3339 §5.6.
 */

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Reads an instant such as `2027-01-31T00:00:00Z`, to the millisecond, from 1970 to 9999. The time zone is required.
 *
 * @returns  undefined if the text is not such an instant
 */
export function readInstant(text: string): Date | undefined {
  const date = new Date(text)
  const isReal = instant.test(text) && !Number.isNaN(date.getTime())
  return isReal && dayExists(text) && date.getTime() >= 0 && date.getUTCFullYear() <= 9999 ? date : undefined
}

/** Whether the day is in the calendar. JavaScript reads 31 February as 3 March. */
function dayExists(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const unitsMs: Readonly<Record<string, number>> = {m: 60_000, h: 3_600_000, d: 86_400_000}

/** Reads a span such as `90m`, `12h` or `30d`, from 1 to 99999 units, as milliseconds; undefined for any other text. */
export function readSpan(text: string): number | undefined {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return unitMs === undefined ? undefined : Number(number) * unitMs
}
