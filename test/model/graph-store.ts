/** Writes of the graph store: PUT and POST of the graph of a document, which exists or was deleted meanwhile. */
import {withContainer} from './access.ts'
import {labelsOf} from './lines.ts'
import type {Model, ModelDocument} from './model.ts'
import * as service from './model.ts'
import type {StepOf} from './steps.ts'
import * as world from './world.ts'
import {faultOfStatus, type Prepared, type Real} from './world.ts'

export async function writeGraph(
  step: StepOf<'graph'>,
  at: ModelDocument,
  model: Model,
  real: Real,
): Promise<Prepared> {
  const {iri, parent} = at
  const said = [...new Set(world.saidLines(step.says, iri, {model, real, labels: world.namedLabels(at)}))]
  const {headers, body} = world.contentOf(step.type, said, iri)
  const condition = await world.conditionFor(real, iri, step.condition)
  const path = `/rdf-graph-store?graph=${encodeURIComponent(iri)}`
  return {
    needs: now =>
      now.documents.has(iri) ? [{iri, mode: 'edit'}] : withContainer({iri: parent}, 'create', 'members')(now),
    send: () =>
      real.service.send({
        method: step.isAddition ? 'POST' : 'PUT',
        path,
        headers: {...world.preferring(step.prefer), ...headers, ...condition.headers},
        body,
      }),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) {
        if (step.condition !== 'none' || !now.documents.has(parent)) return faultOfStatus(answer, 404)
        const made = service.newDocument(iri, parent, {lines: service.withFreshLabels(now, new Set(), said)})
        service.create(now, made)
        return world.faultOfWritten(answer, {...step, model: now, document: made, labels: labelsOf(said).size})
      }
      if (!condition.holds(now)) return faultOfStatus(answer, 412)
      const fresh = service.newLabels(document, said)
      if (step.isAddition) service.patch(now, document, {removed: [], added: said})
      else service.replace(now, document, said)
      return world.faultOfWritten(answer, {...step, model: now, document, labels: fresh})
    },
  }
}
