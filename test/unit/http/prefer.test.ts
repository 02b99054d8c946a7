/** Prefer values in the spellings of the interface, of RFC 7240 and LDP, and of existing clients. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {formatPreferenceApplied, readPreferences} from '../../../src/http/prefer.ts'

const ldp = 'http://www.w3.org/ns/ldp#'
const c = 'https://carbonldp.com/ns/v1/platform#'

type Plain = {
  model?: string
  include?: string[]
  omit?: string[]
  return?: string
  handling?: string
  respondAsync?: boolean
  unknown?: string[]
}

/** The preferences without empty members, with sets as arrays. */
function plain(values: readonly string[]): Plain {
  const preferences = readPreferences(values)
  const entries = Object.entries({
    ...preferences,
    include: [...preferences.include],
    omit: [...preferences.omit],
  }).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false))
  return Object.fromEntries(entries)
}

const cases: [string, readonly string[], Plain][] = [
  ['nothing', [], {}],
  ['an empty field', ['', ' , '], {}],

  // Interaction model.
  ['a bare model', [`${ldp}Container; rel=interaction-model`], {model: `${ldp}Container`}],
  ['a model without a space', [`${ldp}RDFSource;rel=interaction-model`], {model: `${ldp}RDFSource`}],
  ['a model with more blanks', [`\t${ldp}RDFSource \t;  rel = interaction-model `], {model: `${ldp}RDFSource`}],
  ['a model in angle brackets', [`<${ldp}Container>; rel=interaction-model`], {model: `${ldp}Container`}],
  ['a model in quotes', [`"${ldp}Container"; rel="interaction-model"`], {model: `${ldp}Container`}],
  ['a quoted rel, in capitals', [`<${ldp}Container>; REL="Interaction-Model"`], {model: `${ldp}Container`}],
  ['a model with = and ? in it', ['http://h/?a=b; rel=interaction-model'], {model: 'http://h/?a=b'}],
  ['a model with a comma and ; in brackets', ['<http://h/a,b;c>; rel=interaction-model'], {model: 'http://h/a,b;c'}],
  [
    'two models: the first counts',
    [`${ldp}Container; rel=interaction-model`, `${ldp}RDFSource; rel=interaction-model`],
    {model: `${ldp}Container`},
  ],
  ['a model of an unknown kind', ['http://example.org/x; rel=interaction-model'], {model: 'http://example.org/x'}],
  ['a model that is no IRI', ['Container; rel=interaction-model'], {unknown: ['Container; rel=interaction-model']}],
  ['an IRI with another rel', [`<${ldp}Container>; rel=type`], {unknown: [`<${ldp}Container>; rel=type`]}],

  // include and omit, in the form of the interface.
  [
    'endpoint 6, separate headers',
    [
      `${ldp}Container; rel=interaction-model`,
      `include=${c}PreferContainmentResources`,
      `omit=${c}PreferContainer`,
      `omit=${c}PreferMembershipTriples`,
    ],
    {
      model: `${ldp}Container`,
      include: [`${c}PreferContainmentResources`],
      omit: [`${c}PreferContainer`, `${c}PreferMembershipTriples`],
    },
  ],
  [
    'endpoint 6, as the client joins it',
    [
      `${ldp}Container; rel=interaction-model, include="${c}PreferContainmentResources", ` +
        `omit="${c}PreferContainer ${c}PreferMembershipTriples"`,
    ],
    {
      model: `${ldp}Container`,
      include: [`${c}PreferContainmentResources`],
      omit: [`${c}PreferContainer`, `${c}PreferMembershipTriples`],
    },
  ],
  [
    'endpoint 12, joined without quotes',
    [`include=${c}PreferResultsContexts,include=${c}PreferDocumentChecksums`],
    {include: [`${c}PreferResultsContexts`, `${c}PreferDocumentChecksums`]},
  ],
  ['angle brackets inside quotes', ['include="<http://a/> <http://b/>"'], {include: ['http://a/', 'http://b/']}],
  [
    'angle brackets without quotes',
    ['include=<http://a/x,y>, omit=<http://b/>'],
    {include: ['http://a/x,y'], omit: ['http://b/']},
  ],
  ['a comma in quotes', ['include="http://a/x,y"'], {include: ['http://a/x,y']}],
  ['names in capitals, blanks around =', ['INCLUDE = "http://a/"'], {include: ['http://a/']}],
  ['the same IRI twice', ['include=http://a/', 'include="http://a/"'], {include: ['http://a/']}],
  ['include without a value', ['include=""', 'include', 'include='], {unknown: ['include=""', 'include', 'include=']}],
  ['include of a relative IRI', ['include=PreferContainer'], {unknown: ['include=PreferContainer']}],

  // return, RFC 7240 and LDP.
  ['return=minimal', ['return=minimal'], {return: 'minimal'}],
  ['Return=REPRESENTATION', ['Return=REPRESENTATION'], {return: 'representation'}],
  ['quoted return', ['return="representation"'], {return: 'representation'}],
  ['two returns: the first counts', ['return=minimal, return=representation'], {return: 'minimal'}],
  ['a malformed return does not count', ['return=all, return=minimal'], {return: 'minimal', unknown: ['return=all']}],
  [
    'include as a parameter of return',
    [`return=representation; include="${ldp}PreferContainment"`],
    {return: 'representation', include: [`${ldp}PreferContainment`]},
  ],
  [
    'include and omit as parameters of return',
    [
      `return=representation; include="${ldp}PreferMinimalContainer"; ` +
        `omit="${ldp}PreferContainment ${ldp}PreferMembership"`,
    ],
    {
      return: 'representation',
      include: [`${ldp}PreferMinimalContainer`],
      omit: [`${ldp}PreferContainment`, `${ldp}PreferMembership`],
    },
  ],
  [
    'the create of an existing client',
    [`${ldp}Container; rel=interaction-model, return=representation`],
    {model: `${ldp}Container`, return: 'representation'},
  ],

  // Other preferences.
  ['handling=strict', ['handling=strict'], {handling: 'strict'}],
  ['handling twice', ['handling=lenient', 'handling=strict'], {handling: 'lenient'}],
  ['handling of another kind', ['handling=loose'], {unknown: ['handling=loose']}],
  ['respond-async and wait', ['respond-async, wait=100'], {respondAsync: true}],
  ['wait without a number', ['wait=soon'], {unknown: ['wait=soon']}],
  ['unknown preferences', ['depth-noroot, priority=5; x="a,b"'], {unknown: ['depth-noroot', 'priority=5; x="a,b"']}],
  [
    'an unclosed quote reaches to the end of its field',
    ['=x, "a', 'return=minimal'],
    {return: 'minimal', unknown: ['=x', '"a']},
  ],
  ['an unclosed angle bracket', ['<http://a/, return=minimal'], {return: 'minimal', unknown: ['<http://a/']}],
]

for (const [title, values, expected] of cases)
  test(`Prefer: ${title}`, t => {
    t.deepEqual(plain(values), expected)
  })

test('including and omitting one IRI is a 400 that names it', t => {
  const error = t.throws(() => readPreferences(['include=c:A', 'omit="c:B c:A"']))

  t.like(error, {status: 400, rule: 'prefer-contradiction', message: 'Both included and omitted: c:A'})
})

test('an applied return has a line of its own', t => {
  t.deepEqual(formatPreferenceApplied({return: 'representation'}), ['return=representation'])
})

test('each applied include is quoted on a line of its own', t => {
  const lines = formatPreferenceApplied({include: [`${c}PreferResultsContexts`, 'http://h/é"']})

  t.deepEqual(lines, [`include="${c}PreferResultsContexts"`, 'include="http://h/%C3%A9%22"'])
})

test('an applied preference is read as the same preference', t => {
  const applied = {return: 'minimal', include: [`${c}PreferResultsContexts`]} as const

  t.deepEqual(plain(formatPreferenceApplied(applied)), {return: 'minimal', include: [`${c}PreferResultsContexts`]})
})

test('the only error is prefer-contradiction', t => {
  const pieces = fc.constantFrom(
    ...[
      'include',
      'omit',
      'return',
      '=',
      ';',
      ',',
      '"',
      '\\',
      '<',
      '>',
      ' ',
      'http://a/',
      'c:b',
      'rel=interaction-model',
    ],
  )
  const field = fc.oneof(
    fc.string(),
    fc.array(pieces, {maxLength: 30}).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(fc.array(field, {maxLength: 4}), values => {
      try {
        readPreferences(values)
        return true
      } catch (error) {
        return error instanceof Problem && error.rule === 'prefer-contradiction'
      }
    }),
    {numRuns: 500},
  )
  t.pass()
})
