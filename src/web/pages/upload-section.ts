/**
 * The part of a page where RDF files become children of a document.
 *
 * Pure. Without its script the part stays hidden.
 */
import {formats} from '../../format/registry.ts'
import type {Iri} from '../../rdf/term.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'

/** @param shown  whether the part is there from the beginning, or when files are dragged over the page */
export function uploadSection(iri: Iri, shown: 'always' | 'when dragged'): Markup {
  const readable = formats.filter(({isReadable}) => isReadable)
  const types = readable.flatMap(({extensions, mediaTypes}) => extensions.map(each => [each, mediaTypes[0]] as const))
  const accepted = types.map(([extension]) => `.${extension}`).join(',')
  const always = shown === 'always' && markup` data-always`
  return markup`<section class="card upload" data-upload="${localPath(iri)}"${always}
    data-types="${JSON.stringify(Object.fromEntries(types))}" hidden><p>Drop RDF files here to create a child of each,
    or <label class="button">choose files<input type="file" class="unseen" multiple accept="${accepted}"></label></p>
    <ul class="entries" data-uploaded aria-live="polite"></ul></section>`
}
