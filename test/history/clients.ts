/**
 * Clients that send random requests over HTTP, and the recorded responses.
 *
 * Each client works on registers, member lists, tangles, twins and a counter in turn, so that all of them share
 * connections and tables.
 */
import {Agent} from 'node:http'
import {createCounterClient} from './counter-client.ts'
import {createMemberClient, makeLists} from './member-client.ts'
import type {Membership, MembershipOperation} from './membership.ts'
import type {RegisterOperation} from './register.ts'
import {createRegisterClient} from './register-client.ts'
import {createTangleClient} from './tangle-client.ts'
import {createTwinClient, makeTwins} from './twin-client.ts'
import {choose, createWire, type WireOptions} from './wire.ts'

export type Recorded = {
  readonly registers: ReadonlyMap<string, readonly RegisterOperation[]> // by document
  readonly membership: {readonly initial: Membership; readonly operations: readonly MembershipOperation[]}
  readonly complaints: readonly string[] // of twins and counters
  readonly statuses: ReadonlyMap<string, number> // "register PUT 412" → how often
}

export type Progress = {
  readonly requests: number
  readonly seen: ReadonlySet<RegisterOperation['kind']> // what has happened to registers
}

export type ClientsOptions = {
  readonly url: string // root document
  readonly clients: number
  readonly isOver: (progress: Progress) => boolean // asked before each act of a client
  readonly inTrouble?: WireOptions['inTrouble']
}

/** Runs the clients until it is over. */
export async function runClients({url, clients, isOver, inTrouble}: ClientsOptions): Promise<Recorded> {
  const agent = new Agent({keepAlive: true, maxSockets: clients})
  const wire = createWire(url, agent, inTrouble === undefined ? {} : {inTrouble})
  const registers = new Map<string, RegisterOperation[]>()
  const operations: MembershipOperation[] = []
  const complaints: string[] = []
  const seen = new Set<RegisterOperation['kind']>()

  function record(path: string, operation: RegisterOperation): void {
    seen.add(operation.kind)
    const history = registers.get(path) ?? []
    registers.set(path, history)
    history.push(operation)
  }

  async function client(): Promise<void> {
    const useRegister = createRegisterClient(wire, record)
    const useMembers = createMemberClient(wire, operation => operations.push(operation))
    const useTangle = createTangleClient(wire)
    const useTwins = createTwinClient(wire, complaint => complaints.push(complaint))
    const useCounter = createCounterClient(wire, complaint => complaints.push(complaint))
    while (!isOver({requests: wire.count(), seen}))
      await choose([
        [0.36, useRegister],
        [0.63, useMembers],
        [0.9, useTangle],
        [0.95, useTwins],
        [1, useCounter],
      ])
  }

  try {
    const initial = await makeLists(wire)
    await makeTwins(wire)
    await Promise.all(Array.from({length: clients}, client))
    return {registers, membership: {initial, operations}, complaints, statuses: wire.statuses}
  } finally {
    agent.destroy()
  }
}
