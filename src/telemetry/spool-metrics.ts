/**
 * Metrics of spooled answers, which wait for slow readers: their current size, and the answers that found no space.
 *
 * Part of metrics.ts.
 */
import {Counter, Gauge, type Registry} from 'prom-client'
import {type SpoolObservation, spoolLimits} from '../base/observation.ts'
import type {SpoolLoad} from '../base/spool-space.ts'
import {beginAtZero} from './begin-at-zero.ts'

export function spoolMetrics(registry: Registry, load: () => SpoolLoad): (heard: SpoolObservation) => void {
  const registers = [registry]
  const bytes = {
    name: 'quadstead_spool_bytes',
    help: 'Bytes of answers that wait for their readers, in memory and in files.',
    labelNames: ['place'],
    registers,
  }
  new Gauge({
    ...bytes,
    collect() {
      const {memoryBytes, fileBytes} = load()
      this.set({place: 'memory'}, memoryBytes)
      this.set({place: 'file'}, fileBytes)
    },
  })
  const files = {name: 'quadstead_spool_files', help: 'Temporary files of answers that wait.', registers}
  new Gauge({
    ...files,
    collect() {
      this.set(load().files)
    },
  })
  const full = new Counter({
    name: 'quadstead_spool_full_total',
    help: 'Answers that found no room to wait in, by what was in the way: answer, caller, total, folder.',
    labelNames: ['limit'],
    registers,
  })
  beginAtZero(full, spoolLimits)
  const failed = new Counter({
    name: 'quadstead_spool_failures_total',
    help: 'Temporary files of answers that could not be opened, written or read.',
    registers,
  })
  const cut = new Counter({
    name: 'quadstead_answers_cut_total',
    help: 'Answers that found no room to wait in and were cut off, because their readers were too slow.',
    registers,
  })
  return heard => {
    switch (heard.kind) {
      case 'spool-full':
        return full.inc({limit: heard.limit})
      case 'spool-failed':
        return failed.inc()
      case 'answer-cut':
        return cut.inc()
    }
  }
}
