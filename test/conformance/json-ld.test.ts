/** W3C JSON-LD 1.1, toRdf. */
import {readdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {parseOf} from './reader.ts'
import {isSuiteHere, type JsonLdTest, jsonLdBase, jsonLdFolder, jsonLdTests, readSuiteFile} from './suite.ts'
import {compareWithExceptions, show} from './verdict.ts'

/** Every JSON document of the suite by URL, because tests use each other as contexts. */
function suiteContexts(): ReadonlyMap<string, unknown> {
  const names = readdirSync(fileURLToPath(jsonLdFolder), {recursive: true, encoding: 'utf8'})
  const contexts = names.filter(name => /^toRdf\/.*\.jsonld$/.test(name))
  return new Map(contexts.map(name => [jsonLdBase + name, JSON.parse(readText(name))]))
}

function readText(name: string): string {
  return new TextDecoder().decode(readSuiteFile(new URL(name, jsonLdFolder)))
}

async function failureOf(each: JsonLdTest, contexts: ReadonlyMap<string, unknown>): Promise<string | undefined> {
  const option = each.option ?? {}
  const base = typeof option.base === 'string' ? option.base : jsonLdBase + each.input
  try {
    const quads = await parseOf('application/ld+json')(readSuiteFile(new URL(each.input, jsonLdFolder)), {
      base,
      contexts,
      loss: 'ignored',
    })
    if (each.expectErrorCode !== undefined) return `accepted instead of ${each.expectErrorCode}`
    if (each.expect === undefined) return undefined
    const expected = await parseOf('application/n-quads')(readSuiteFile(new URL(each.expect, jsonLdFolder)), {base})
    return isIsomorphic(quads, expected) ? undefined : `another dataset: ${show(quads)} instead of ${show(expected)}`
  } catch (error) {
    if (!(error instanceof Problem)) return `threw ${error instanceof Error ? error.stack : error}`
    if (each.expectErrorCode === undefined) return `refused: ${error.message}`
    const code = error.members.code
    return code === each.expectErrorCode ? undefined : `refused with ${code ?? error.rule}, not ${each.expectErrorCode}`
  }
}

if (isSuiteHere) {
  test('application/ld+json passes W3C toRdf except the listed tests', async t => {
    const tests = jsonLdTests()
    const contexts = suiteContexts()
    const failures: Record<string, string> = {}
    for (const each of tests) {
      const failure = await failureOf(each, contexts)
      if (failure !== undefined) failures[each['@id'].slice(1)] = failure
    }

    t.true(tests.length >= 460, `${tests.length} tests`)
    compareWithExceptions(t, 'json-ld', failures)
  })
} else {
  test('W3C toRdf skipped: ../shared/conformance is not here', t => {
    t.log('the suites are read where they lie, beside the project')
    t.pass()
  })
}
