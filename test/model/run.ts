/** `npm run model -- --runs 200 [--seed N]`: a longer run of the model test, on the embedded server. */
import {spawn} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({options: {runs: {type: 'string', default: '100'}, seed: {type: 'string'}}})
const runner = fileURLToPath(new URL('../support/run.ts', import.meta.url))
const child = spawn(process.execPath, ['--import', 'tsx', runner, '--one-server', 'test/model/**/*.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    MODEL_RUNS: values.runs,
    TEST_STANDSTILL_MS: String(180_000 + 10_000 * Number(values.runs)),
    ...(values.seed === undefined ? {} : {MODEL_SEED: values.seed}),
  },
})
child.once('close', code => {
  process.exitCode = code ?? 1
})
