/**
 * Loaded before the service. Each SIGUSR2 sets the clock of the process back by an hour.
 *
 * `performance.now()` does not change, like the system's monotonic clock.
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
