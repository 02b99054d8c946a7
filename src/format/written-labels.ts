/**
 * Labels of blank nodes as a syntax can print them.
 *
 * Floor 2. Pure. A label the syntax allows stays as it is; any other is encoded, without two labels ever becoming one.
 */
const encoded = 'enc-'

/**
 * @param isAllowed  whether the syntax can print a label; it must allow ASCII letters, digits after them, '-' and '_'
 * @returns          the label, or 'enc-' and its characters with each but letters and digits as '-' and four hex digits
 */
export function writtenLabel(label: string, isAllowed: (label: string) => boolean): string {
  if (!label.startsWith(encoded) && isAllowed(label)) return label
  return encoded + label.replace(/[^A-Za-z0-9]/g, unit => `-${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
