/** Fills the disk of PostgreSQL under load, and frees it again. */
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {send} from '../support/client.ts'
import {fillUp} from '../support/disk.ts'
import {turtle} from '../support/documents.ts'
import {until} from '../support/machine.ts'
import type {Fault} from './faults.ts'

/** Fills the disk until clients get an error, then frees it. */
export function fillDisk(directory: string): Fault {
  return {
    name: 'the disk of PostgreSQL is full',
    async strike({base}) {
      const filler = join(directory, 'filler')
      fillUp(filler)
      const body = `<> <http://e/text> "${'long '.repeat(20_000)}" .`
      await until(async () => {
        const {status} = await send(base, {method: 'POST', headers: turtle, body})
        if (status === 201) fillUp(filler) // fills space that PostgreSQL had reserved
        return status === 503
      }, 60_000)
      rmSync(filler)
    },
  }
}
