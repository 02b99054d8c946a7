/**
 * The quota of a service in one of its processes: units are borrowed from the process that keeps it, some at a time.
 *
 * A loan is a hundredth of the quota, at least one unit. The keeper counts units when it lends them, so all
 * processes together never grant more than it has lent. Units that were borrowed and not used stay here for the
 * caller's next requests: after a pause, a burst may exceed the quota by one loan for each process. A quota of less
 * than 200 lends single units, so nothing but `look` leaves any unused.
 */
import {createLru} from './lru.ts'
import type {Admission, CallerQuota, Loan, QuotaOptions} from './quota.ts'

export type LoanRequest = {readonly caller: string; readonly most: number}

/** Asks the keeper; the answer has one loan for each request, in order. */
export type Borrow = (requests: readonly LoanRequest[]) => Promise<readonly Loan[]>

type Waiter = {
  readonly isTaking: boolean
  readonly settle: (grant: Admission) => void
  readonly fail: (error: unknown) => void
}

type Account = {
  units: number // borrowed and not used
  grant: Admission // as the keeper last said
  lentAt: number
  waiting: Waiter[]
  isAsking: boolean
}

const loansOfQuota = 100

export function createLentQuota(options: QuotaOptions, borrow: Borrow): CallerQuota {
  const {amount, callersMax} = options
  const accounts = createLru<string, Account>(callersMax)
  const use = createUse(options)
  const ask = createAsking(Math.max(1, Math.floor(amount / loansOfQuota)), {use, borrow})

  function accountOf(caller: string): Account {
    const known = accounts.get(caller)
    if (known !== undefined) return known
    const grant = {isGranted: true, left: amount, wholeAfterMs: 0, retryAfterMs: 0}
    const made = {units: 0, grant, lentAt: performance.now(), waiting: [], isAsking: false}
    accounts.set(caller, made)
    return made
  }

  function get(caller: string, isTaking: boolean): Admission | Promise<Admission> {
    const account = accountOf(caller)
    const {grant, lentAt, units} = account
    const isRefused = !grant.isGranted && performance.now() - lentAt < grant.retryAfterMs
    if (units > 0 || isRefused) return use(account, isTaking)
    return new Promise((settle, fail) => {
      account.waiting.push({isTaking, settle, fail})
      ask(caller, account)
    })
  }

  return {take: caller => get(caller, true), look: caller => get(caller, false)}
}

type Use = (account: Account, isTaking: boolean) => Admission

/** Grants from what was borrowed, and says how the whole quota stands, as far as that is known here. */
function createUse({amount, windowMs}: QuotaOptions): Use {
  const oneMs = windowMs / amount
  return (account, isTaking) => {
    const isGranted = account.units > 0
    if (isGranted && isTaking) account.units -= 1
    const {units, grant, lentAt} = account
    const sinceMs = performance.now() - lentAt
    const leastMs = isGranted && isTaking ? oneMs : 0 // what was just taken is not back yet
    const wholeAfterMs = Math.max(leastMs, grant.wholeAfterMs - sinceMs - units * oneMs)
    const left = Math.max(0, Math.floor((windowMs - wholeAfterMs + slackMs) / oneMs))
    return {isGranted, left, wholeAfterMs, retryAfterMs: Math.max(0, grant.retryAfterMs - sinceMs)}
  }
}

const slackMs = 1e-6 // of sums of fractions

type Asking = {readonly use: Use; readonly borrow: Borrow}

/** Borrows for accounts on which somebody waits; those of one turn of the event loop go in one message. */
function createAsking(loan: number, {use, borrow}: Asking): (caller: string, account: Account) => void {
  let asking = new Map<string, Account>()

  async function send(): Promise<void> {
    const asked = Array.from(asking, ([caller, account]) => ({caller, account, waiting: account.waiting.splice(0)}))
    asking = new Map()
    try {
      const loans = await borrow(asked.map(({caller, waiting}) => ({caller, most: Math.max(loan, waiting.length)})))
      for (const [index, {account, waiting}] of asked.entries()) {
        receive(account, loans[index])
        for (const {isTaking, settle} of waiting) settle(use(account, isTaking))
      }
    } catch (error) {
      for (const {waiting} of asked) for (const {fail} of waiting) fail(error)
    }
    for (const {caller, account} of asked) {
      account.isAsking = false
      if (account.waiting.length > 0) ask(caller, account)
    }
  }

  function ask(caller: string, account: Account): void {
    if (account.isAsking) return
    account.isAsking = true
    if (asking.size === 0) setImmediate(send)
    asking.set(caller, account)
  }
  return ask
}

function receive(account: Account, loan: Loan | undefined): void {
  if (loan === undefined) return
  account.units += loan.units
  account.grant = loan.grant
  account.lentAt = performance.now()
}
