/**
 * Chooses settings for a PostgreSQL server that shares its machine with one service.
 *
 * Pure, except for `thisMachine`. Sizes follow the PostgreSQL manual (§20.4 shared_buffers: a quarter of the memory;
 * §20.7 effective_cache_size, random_page_cost; §30.5 WAL sizes). No setting trades durability for speed.
 */
import {statfsSync} from 'node:fs'
import {availableParallelism, totalmem} from 'node:os'

export type Machine = {
  readonly memoryBytes: number // of the machine, or of the container
  readonly processors: number
  readonly diskBytes: number // free space on the cluster's disk
  readonly segmentBytes: number // for shared memory of parallel workers; containers often have 64 MB
}

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/** Measures the machine. Free disk space that cannot be read counts as zero. */
export function thisMachine(directory: string): Machine {
  const limit = process.constrainedMemory() // 0, or more than the machine has: no limit
  const memory = totalmem()
  return {
    memoryBytes: limit > 0 ? Math.min(limit, memory) : memory,
    processors: availableParallelism(),
    diskBytes: freeBytes(directory),
    segmentBytes: freeBytes('/dev/shm'),
  }
}

function freeBytes(path: string): number {
  try {
    const {bavail, bsize} = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/**
 * @returns  settings of postgresql.conf; on a machine with less than 1 GB none asks for more than PostgreSQL's default
 */
export function tuningFor({
  memoryBytes,
  processors,
  diskBytes,
  segmentBytes,
}: Machine): Readonly<Record<string, string>> {
  const clamp = (least: number, wanted: number, most: number) => Math.min(Math.max(wanted, least), most)
  const buffers = clamp(128 * mebibyte, memoryBytes / 4, 8 * gibibyte)
  // A query may take this several times over, and ten queries may run at once.
  const workMemory = clamp(4 * mebibyte, memoryBytes / 512, 64 * mebibyte)
  const log = clamp(gibibyte, diskBytes / 10, 4 * gibibyte)
  const hasSegments = segmentBytes >= gibibyte
  const workers = processors > 2 && hasSegments ? clamp(1, Math.floor(processors / 2), 4) : 0
  return {
    shared_buffers: megabytes(buffers),
    effective_cache_size: megabytes(clamp(512 * mebibyte, (memoryBytes * 3) / 4, memoryBytes)),
    work_mem: megabytes(workMemory),
    maintenance_work_mem: megabytes(clamp(64 * mebibyte, memoryBytes / 32, gibibyte)),
    random_page_cost: '1.1',
    jit: 'off',
    max_wal_size: megabytes(log),
    min_wal_size: megabytes(log / 4),
    checkpoint_timeout: '15min',
    max_parallel_workers_per_gather: String(workers),
    max_parallel_maintenance_workers: String(clamp(0, hasSegments ? processors - 1 : 0, 4)),
    track_io_timing: 'on',
  }
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)}MB`
}
