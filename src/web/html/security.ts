/**
 * Headers of every HTML answer.
 *
 * Floor 5. Pure. Nothing is loaded but our own assets, nothing runs that stands in a page, and no other site may frame
 * one.
 * Sources: Content Security Policy Level 3; Referrer Policy; RFC 9110 §12.5.5 (Vary).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // the editor's style sheet holds its icons as data
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageType = 'text/html; charset=utf-8'

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': pageType,
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
