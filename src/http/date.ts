/**
 * HTTP dates to milliseconds since 1970 and back.
 *
 * Pure: the caller passes the current time, which decides the century of a two-digit year.
 * Source: RFC 9110 §5.6.7 (one form to write, three to read).
 */

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'
const forms = [
  `[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${time} GMT`, // IMF-fixdate
  `[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${time} GMT`, // RFC 850
  `[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`, // asctime
].map(form => new RegExp(`^${form}$`))

/**
 * Reads an HTTP date in any of the three forms. The day of the week is not checked against the date.
 *
 * @param nowMs  a two-digit year more than 50 years after this time is read as a year in the past
 * @returns      milliseconds since 1970; undefined if the text is not an HTTP date
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  if (text === '') return undefined
  for (const form of forms) {
    const groups = form.exec(text)?.groups
    if (groups !== undefined) return millisecondsOf(groups, nowMs)
  }
  return undefined
}

/** Writes an IMF-fixdate; fractions of a second are truncated. */
export function formatHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString()
}

function millisecondsOf(groups: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const {day = '', month = '', year = '', hour, minute, second} = groups
  const fullYear = year.length === 2 ? fullYearOf(Number(year), nowMs) : Number(year)
  const monthNumber = monthNames.indexOf(month) + 1
  const isLeapSecond = second === '60'
  const date = `${pad(fullYear, 4)}-${pad(monthNumber, 2)}-${pad(Number(day), 2)}`
  const timeMs = Date.parse(`${date}T${hour}:${minute}:${isLeapSecond ? '59' : second}Z`)
  if (Number.isNaN(timeMs) || new Date(timeMs).getUTCDate() !== Number(day)) return undefined
  return isLeapSecond ? timeMs + 1000 : timeMs
}

function fullYearOf(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0')
}
