/** Settings of PostgreSQL for machines of any size. */
import {tmpdir} from 'node:os'
import test from 'ava'
import {thisMachine, tuningFor} from '../../../src/db/embedded/tuning.ts'

const gibibyte = 2 ** 30

test('a small machine keeps the defaults of PostgreSQL for memory and log', t => {
  const settings = tuningFor({memoryBytes: gibibyte / 2, processors: 1, diskBytes: gibibyte, segmentBytes: 2 ** 26})

  t.deepEqual(settings, {
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '4MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    jit: 'off',
    max_wal_size: '1024MB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    track_io_timing: 'on',
  })
})

test('a large machine gives a quarter of its memory, and half of its processors to one query', t => {
  const machine = {memoryBytes: 16 * gibibyte, processors: 8, diskBytes: 500 * gibibyte, segmentBytes: 8 * gibibyte}

  t.like(tuningFor(machine), {
    shared_buffers: '4096MB',
    effective_cache_size: '12288MB',
    work_mem: '32MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '4096MB',
    max_parallel_workers_per_gather: '4',
    max_parallel_maintenance_workers: '4',
  })
})

test('without shared memory for them there are no parallel workers', t => {
  const machine = {memoryBytes: 16 * gibibyte, processors: 8, diskBytes: 500 * gibibyte, segmentBytes: 2 ** 26}

  t.like(tuningFor(machine), {max_parallel_workers_per_gather: '0', max_parallel_maintenance_workers: '0'})
})

test('the machine is measured, and a missing folder has no free disk', t => {
  const machine = thisMachine(tmpdir())

  t.true(machine.memoryBytes > 2 ** 26 && machine.processors >= 1 && machine.diskBytes > 0)
  t.is(thisMachine('/none/such').diskBytes, 0)
})
