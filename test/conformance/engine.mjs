/** The engine in the form that the runner loads. */
import {createEngine} from './engine.ts'

// biome-ignore lint/style/noDefaultExport: the runner's contract
export default createEngine
