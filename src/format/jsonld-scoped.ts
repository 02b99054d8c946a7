/**
 * Contexts scoped to properties and types, each worked out once for the context it is met in.
 *
 * Floor 2. Ten thousand nodes of a type with its own context are one piece of work, not ten thousand.
 * Source: JSON-LD 1.1 §4.1.8 (scoped contexts).
 */
import {type ActiveContext, type Environment, processContext} from './jsonld-context.ts'
import type {TermDefinition} from './jsonld-term.ts'

const processings = {
  property: {overridesProtected: true},
  type: {propagates: false}, // ends at the next node
} as const

export class ScopedContexts {
  readonly #environment: Environment
  readonly #known = {
    property: new WeakMap<ActiveContext, Map<TermDefinition, ActiveContext>>(),
    type: new WeakMap<ActiveContext, Map<TermDefinition, ActiveContext>>(),
  }

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The context under a term; the same context when the term has none of its own. */
  apply(active: ActiveContext, definition: TermDefinition | undefined, kind: 'property' | 'type'): ActiveContext {
    if (definition?.context === undefined) return active
    const results = this.#known[kind].get(active) ?? new Map<TermDefinition, ActiveContext>()
    const known = results.get(definition)
    if (known !== undefined) return known
    const {local, baseUrl} = definition.context
    const result = processContext(active, local, baseUrl, this.#environment, processings[kind])
    results.set(definition, result)
    this.#known[kind].set(active, results)
    return result
  }
}
