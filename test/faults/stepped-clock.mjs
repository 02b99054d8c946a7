/**
 * Loaded before the service: each SIGUSR2 sets its clock back by an hour.
 *
 * `performance.now()` stays, as the system's monotonic clock does.
 */
const stepMs = 3_600_000
const RealDate = Date
let backMs = 0

process.on('SIGUSR2', () => {
  backMs += stepMs
})

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() - backMs] : parts))
  }

  static now() {
    return RealDate.now() - backMs
  }
}
