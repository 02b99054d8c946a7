/** Starts the machine's Chromium with playwright-core. */
import {existsSync} from 'node:fs'
import {type Browser, chromium} from 'playwright-core'

const places = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map(name => `/usr/bin/${name}`)

/** Path of Chromium: CHROMIUM of the environment, otherwise the machine's. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM ?? '', ...places].find(
  path => path !== '' && existsSync(path),
)

/** Starts the browser; undefined if there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  if (chromiumPath === undefined) return undefined
  const isRoot = process.getuid?.() === 0
  return chromium.launch({executablePath: chromiumPath, args: isRoot ? ['--no-sandbox'] : []})
}
