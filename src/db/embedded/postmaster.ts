/**
 * Reads the state of a running PostgreSQL from its data directory, and checks whether its socket answers.
 *
 * Source: PostgreSQL, miscadmin.h (lines of postmaster.pid); protocol, SSLRequest: one byte is returned.
 */
import {readFile} from 'node:fs/promises'
import {connect} from 'node:net'
import {join} from 'node:path'
import {isProcessAlive} from '../../base/process-identity.ts'

export type Postmaster = {
  readonly processId: number
  readonly socketPath: string
  readonly status: string // 'starting', 'stopping', 'ready', 'standby'
}

/**
 * Finds the running PostgreSQL from postmaster.pid.
 *
 * @returns  undefined if no such process runs. Another program may have the same number; `answers` detects that
 */
export async function findPostmaster(directory: string): Promise<Postmaster | undefined> {
  const postmaster = await readPostmaster(directory)
  return postmaster !== undefined && isProcessAlive(postmaster.processId) ? postmaster : undefined
}

/** The content of postmaster.pid, whether or not the process runs here: it may run in another container. */
export async function readPostmaster(directory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const [processId = '', , , port = '', socketDirectory = '', , , status = ''] = text.split('\n')
  if (!/^\d+$/.test(processId)) return undefined
  return {
    processId: Number(processId),
    socketPath: join(socketDirectory, `.s.PGSQL.${port.trim()}`),
    status: status.trim(),
  }
}

/** Whether a PostgreSQL answers on the socket. */
export function answers(socketPath: string, waitMs = 2000): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(socketPath)
    const settle = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(waitMs, () => settle(false))
    socket.once('error', () => settle(false))
    socket.once('close', () => settle(false))
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])))
    socket.once('data', data => settle(data[0] === 0x4e || data[0] === 0x53)) // N or S
  })
}
