#!/usr/bin/env node
/**
 * The program. Reads the command line and the environment, runs a command and sets the exit code.
 *
 * Exit codes: 0 success; 1 failure, or a check found a fault; 2 invalid command line; 78 invalid setting;
 * 128 + signal if a second signal cut the shutdown short.
 */
import {type Observation, subscribe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import {version} from './build.ts'
import {readArguments, unknownCommand} from './command/arguments.ts'
import {complain, print} from './command/command.ts'
import {explanation, findCommand, overview} from './command/table.ts'
import {configOfNamed} from './datasets/named.ts'
import {readConfig} from './settings/config.ts'
import {createFilter, type Log, openLog} from './telemetry/log.ts'
import {sentenceOf} from './telemetry/sentences.ts'
import {workerNumber} from './workers/variable.ts'

let endHearing = subscribe(quietly(complain))

process.exit(await main(process.argv.slice(2)))

async function main([name = 'serve', ...rest]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') return help(rest)
  if (name === '--version' || name === '-v') return say(version)
  const command = findCommand(name)
  if (command === undefined) return refuse(unknownCommand(name))
  const parameters = readArguments(command, rest)
  if (typeof parameters === 'string') return refuse(parameters)
  if (parameters.values.help === true) return say(explanation(command))
  let log: Log | undefined
  try {
    const config = readConfig(process.env)
    if (command.hasLog === true) log = replaceReport(openLog(config.operation.log, workerNumber()))
    const {dataset} = parameters.values
    const own = typeof dataset === 'string' ? await configOfNamed(config, dataset) : config
    return await command.run(own, parameters)
  } catch (error) {
    complain(`quadstead: ${error instanceof Refusal ? error.message : errorText(error)}`)
    return error instanceof Refusal ? error.exitCode : 1
  } finally {
    endHearing() // what ends with the service may still be observed
    await log?.close()
  }
}

/** Sends observations to the log from now on, instead of stderr. */
function replaceReport(log: Log): Log {
  endHearing()
  endHearing = subscribe(log.hear)
  process.on('SIGHUP', log.reopen)
  return log
}

function help([name]: readonly string[]): number {
  if (name === undefined) return say(overview(version))
  const command = findCommand(name)
  return command === undefined ? refuse(unknownCommand(name)) : say(explanation(command))
}

function refuse(lines: string): number {
  complain(lines)
  return 2
}

/** An observer that passes observations to `tell` as lines. */
function quietly(tell: (line: string) => void): (observation: Observation) => void {
  const isNews = createFilter()
  return observation => {
    const line = observation.kind === 'query' || observation.kind === 'statement' ? undefined : sentenceOf(observation)
    if (line !== undefined && isNews(observation)) tell(line)
  }
}

function say(text: string): number {
  print(text)
  return 0
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
