/**
 * Clients that send random requests over HTTP, and the recorded responses.
 *
 * Each client works on registers, member lists and tangles in turn, so that all three share connections and tables.
 */
import {Agent} from 'node:http'
import {createMemberClient, makeLists} from './member-client.ts'
import type {Membership, MembershipOperation} from './membership.ts'
import type {RegisterOperation} from './register.ts'
import {createRegisterClient} from './register-client.ts'
import {createTangleClient} from './tangle-client.ts'
import {choose, createWire, type WireOptions} from './wire.ts'

export type Recorded = {
  readonly registers: ReadonlyMap<string, readonly RegisterOperation[]> // by document
  readonly membership: {readonly initial: Membership; readonly operations: readonly MembershipOperation[]}
  readonly statuses: ReadonlyMap<string, number> // "register PUT 412" → how often
}

export type ClientsOptions = {
  readonly url: string // root document
  readonly clients: number
  readonly isOver: (requests: number) => boolean
  readonly inTrouble?: WireOptions['inTrouble']
}

/** Runs the clients for the given time. */
export async function runClients({url, clients, isOver, inTrouble}: ClientsOptions): Promise<Recorded> {
  const agent = new Agent({keepAlive: true, maxSockets: clients})
  const wire = createWire(url, agent, inTrouble === undefined ? {} : {inTrouble})
  const registers = new Map<string, RegisterOperation[]>()
  const operations: MembershipOperation[] = []

  function record(path: string, operation: RegisterOperation): void {
    const history = registers.get(path) ?? []
    registers.set(path, history)
    history.push(operation)
  }

  async function client(): Promise<void> {
    const useRegister = createRegisterClient(wire, record)
    const useMembers = createMemberClient(wire, operation => operations.push(operation))
    const useTangle = createTangleClient(wire)
    while (!isOver(wire.count()))
      await choose([
        [0.4, useRegister],
        [0.7, useMembers],
        [1, useTangle],
      ])
  }

  try {
    const initial = await makeLists(wire)
    await Promise.all(Array.from({length: clients}, client))
    return {registers, membership: {initial, operations}, statuses: wire.statuses}
  } finally {
    agent.destroy()
  }
}
