/** Checks of the machine for tests: free ports, installed programs, waiting for conditions. */
import {execFileSync} from 'node:child_process'
import {type AddressInfo, createServer} from 'node:net'

/** A currently unused port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Whether a program is installed: it runs and exits with 0. */
export function canRun(program: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(program, parameters, {stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}

/** Polls until a condition that depends on another process holds. */
export async function until(condition: () => Promise<boolean> | boolean, limitMs = 20_000): Promise<void> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; ) {
    if (await condition()) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`not within ${limitMs} ms: ${condition}`)
}
