/**
 * Labels of blank nodes in a form that a syntax allows.
 *
 * Pure. A label that the syntax allows is unchanged. Others are encoded; different labels stay different.
 */
const encoded = 'enc-'

/**
 * Encodes a label if necessary.
 *
 * @param isAllowed  whether the syntax allows a label; it must allow ASCII letters followed by letters, digits and '-'
 * @returns          the label, or 'enc-' and the label with each UTF-16 unit other than ASCII letters and digits
 *                   written as '-' and four hexadecimal digits
 */
export function writtenLabel(label: string, isAllowed: (label: string) => boolean): string {
  if (!label.startsWith(encoded) && isAllowed(label)) return label
  return encoded + label.replace(/[^A-Za-z0-9]/g, unit => `-${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
