/**
 * Headers of every HTML response.
 *
 * Pure. Pages load the service's own assets only, run no inline script, and cannot be framed by other sites.
 * Sources: Content Security Policy Level 3; Referrer Policy; RFC 9110 §12.5.5 (Vary).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // the editor's style sheet contains its icons as data URLs
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
  'Referrer-Policy': 'same-origin', // with no-referrer, forms would be sent without their origin
  'Cross-Origin-Opener-Policy': 'same-origin',
}
