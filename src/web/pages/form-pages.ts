/**
 * Pages with forms to edit a document, create a child and delete a document.
 *
 * Pure. The script of a form sends the request that any client would send: a POST, or a PATCH or DELETE with the entity
 * tag of the state that the page shows. No other site can make a browser send such a request without a CORS preflight,
 * so the forms need no token against forgery.
 */
import {termText} from '../../format/ntriples-write.ts'
import type {BrowsedDocument} from '../../ldp/browse.ts'
import {type BrowsedSubject, shownTriples} from '../../ldp/browse-subject.ts'
import {parentOf} from '../../rdf/iri.ts'
import {type Iri, namedNode, type Resource, type Term, type Triple} from '../../rdf/term.ts'
import {ldp, rdf} from '../../rdf/vocabulary.ts'
import {arrange} from './arrange.ts'
import {fieldTemplates, newSubjectFields, subjectFields} from './edit-fields.ts'
import {pageOf} from './layout.ts'
import {localPath, viewPath} from './link.ts'
import {showPager} from './listings.ts'
import {type Markup, markup} from './markup.ts'
import {showIri} from './terms.ts'
import {uploadSection} from './upload-section.ts'
import {type HtmlSite, showCount, titleOf, type View} from './view.ts'

/** @param part  the triples to edit if the document is too large for one form */
export function editPage(site: HtmlSite, browsed: BrowsedDocument, part?: BrowsedSubject): string {
  const {iri, state, labels} = browsed
  const view: View = {site, iri, labels}
  const {etag, triples} = part ?? {etag: state.etag, triples: browsed.triples}
  const hasField = (triple: Triple) => isEditable(site, iri, triple) && !(part && hasBlankNode(triple))
  const arrangement = arrange(namedNode(part?.subject ?? iri), triples.filter(hasField))
  const legendOf = (subject: Resource) =>
    subject.value === iri ? 'Properties' : markup`<code>${nameOf(site, subject)}</code>`
  const content = markup`${heading(view, 'Edit')}
    ${part && choosePart(view, browsed, part)}
    <form class="card" data-form="edit" data-path="${localPath(iri)}" data-etag="${etag}"
      data-iri="${iri}"${resourcesOf(site)}${part && markup` data-part`}>
    ${scriptless()}
    ${arrangement.sections.map(subject => subjectFields({site, arrangement}, subject, legendOf(subject)))}
    <details class="advanced"><summary>LD Patch</summary>
    <label for="page-patch">Further changes, in <a href="https://www.w3.org/TR/ldpatch/"
      rel="external noopener noreferrer">LD Patch</a></label><textarea id="page-patch" name="patch" rows="6"
      spellcheck="false" class="code" placeholder="Add { &lt;&gt; dct:title &quot;Emma&quot;@en . } ."></textarea>
    <p class="label" id="page-sent">What will be sent</p><pre class="code" data-preview aria-labelledby="page-sent"
      tabindex="0"></pre></details>
    ${buttons(iri, 'Save')}</form>${fieldTemplates()}`
  return pageOf(site, {title: `Edit ${titleOf(view)}`, path: iri, labels, scripts: ['forms.js']}, content)
}

const shownSubjects = 30

/** Says which part of the document the form has, with links to other parts. */
function choosePart(view: View, {iri, triples}: BrowsedDocument, part: BrowsedSubject): Markup {
  const {names} = view.site
  const named = triples.flatMap(({subject}) => (isBlank(subject) ? [] : [subject.value]))
  const others = [...new Set([iri, ...named])].filter(subject => subject !== part.subject).slice(0, shownSubjects)
  const pathTo = (subject: Iri, after?: string) =>
    viewPath(iri, {view: 'edit', subject: subject === iri ? undefined : subject, after})
  const links = others.map(
    subject => markup`<li><a href="${pathTo(subject)}"><code>${names.show(subject)}</code></a></li>`,
  )
  return markup`<section class="card"><p class="notice">This document is too large for one form. Here are fields of
    <code>${names.show(part.subject)}</code>, ${shownTriples} a page at most. Save before you go to another page.</p>
    <form method="get" action="${localPath(iri)}"><input type="hidden" name="view" value="edit">
    <label for="page-subject">Subject</label><input id="page-subject" name="subject" value="${part.subject}"
      autocapitalize="off" spellcheck="false"><label for="page-property">From the property</label><input
      id="page-property" name="property" placeholder="dct:title" autocapitalize="off" spellcheck="false">
    <p class="buttons"><button type="submit" class="button">Show its fields</button></p></form>
    ${links.length > 0 && markup`<details><summary>Other subjects</summary><ul class="entries">${links}</ul></details>`}
    ${showPager({...part, after: part.isFirst ? undefined : ''}, place => pathTo(part.subject, place))}</section>`
}

/** Whether a triple may be edited: it is none of those that the service maintains. */
function isEditable({platform}: HtmlSite, iri: Iri, {subject, predicate, object}: Triple): boolean {
  if (subject.value !== iri) return true
  const {membershipResource, hasMemberRelation, insertedContentRelation, RDFSource, BasicContainer, DirectContainer} =
    ldp
  const kept = [platform.created, platform.modified, platform.accessPoint, membershipResource, hasMemberRelation]
  if ([...kept, insertedContentRelation].includes(predicate.value)) return false
  const types = [platform.Document, platform.AccessPoint, RDFSource, BasicContainer, DirectContainer]
  return predicate.value !== rdf.type || !types.includes(object.value)
}

function hasBlankNode({subject, object}: Triple): boolean {
  return isBlank(subject) || isBlank(object)
}

function nameOf({names}: HtmlSite, subject: Resource): string {
  return isBlank(subject) ? termText(subject) : names.show(subject.value)
}

function isBlank({termType}: Term): boolean {
  return termType === 'BlankNode'
}

export function createPage(site: HtmlSite, browsed: BrowsedDocument): string {
  const view: View = {site, iri: browsed.iri, labels: browsed.labels}
  const content = markup`${heading(view, 'Add a child to')}
    <form class="card" data-form="create" data-path="${localPath(browsed.iri)}"${resourcesOf(site)}>${scriptless()}
    <fieldset><legend>What it is</legend>
    <label class="choice"><input type="radio" name="what" value="document" checked> A document</label>
    <label class="choice"><input type="radio" name="what" value="access-point"> An access point, which keeps a list of
      members</label></fieldset>
    <label for="page-slug">Name in the address</label><p class="quiet" id="page-slug-note">Leave it empty for a random
      number.</p><input id="page-slug" name="slug" aria-describedby="page-slug-note" autocapitalize="off"
      spellcheck="false" placeholder="emma">
    <div data-only="access-point" hidden><label for="page-relation">Property that lists the members</label><input
      id="page-relation" name="relation" placeholder="ex:participant" autocapitalize="off" spellcheck="false">
    <label for="page-inverse">Property by which members refer back (optional)</label><input id="page-inverse"
      name="inverse" placeholder="ex:participatesIn" autocapitalize="off" spellcheck="false"></div>
    <label for="page-type">Type</label><input id="page-type" name="type" placeholder="ex:Novel" autocapitalize="off"
      spellcheck="false">
    <div class="labelled-row"><div><label for="page-label">Label</label><input id="page-label" name="label"></div>
    <div><label for="page-language">Language</label><input id="page-language" name="language" placeholder="en"
      autocapitalize="off" spellcheck="false"></div></div>
    ${newSubjectFields()}
    <details class="advanced"><summary>Turtle</summary><label for="page-turtle">Further triples;
      <code>&lt;&gt;</code> is the new document</label><textarea id="page-turtle" name="turtle" rows="10"
      spellcheck="false" class="code"
      placeholder="&lt;&gt; &lt;http://purl.org/dc/terms/title&gt; &quot;A title&quot;@en ."
      ></textarea></details>${buttons(browsed.iri, 'Create')}</form>${uploadSection(browsed.iri, 'always')}
    ${fieldTemplates()}`
  return pageOf(
    site,
    {title: `Add a child to ${titleOf(view)}`, path: browsed.iri, labels: browsed.labels, scripts: ['forms.js']},
    content,
  )
}

export function deletePage(site: HtmlSite, browsed: BrowsedDocument): string {
  const {iri, childCount, isCounted, mentions, hasMoreMentions, state} = browsed
  const view: View = {site, iri, labels: browsed.labels}
  const parent = parentOf(iri, site.base)
  const count = `${showCount(childCount)}${isCounted ? '' : ' or more'}`
  const children =
    childCount > 0 &&
    markup`<p class="notice">It contains ${count} ${childCount === 1 ? 'document' : 'documents'}.
      Everything below it is deleted as well.</p>`
  const documents = [...new Set(mentions.map(({document}) => document))]
  const references =
    mentions.length > 0 &&
    markup`<p>References to it are removed from these documents${hasMoreMentions && ', and others'}:</p>
      <ul>${documents.map(document => markup`<li>${showIri(view, document)}</li>`)}</ul>`
  const content = markup`${heading(view, 'Delete')}
    <form class="card" data-form="delete" data-path="${localPath(iri)}" data-etag="${state.etag}" data-iri="${iri}"
      data-next="${localPath(parent ?? site.base)}">${scriptless()}
    <p>Do you want to delete <code>${iri}</code>? This cannot be undone.</p>${children}${references}
    ${buttons(iri, 'Delete', 'danger')}</form>`
  return pageOf(
    site,
    {title: `Delete ${titleOf(view)}`, path: iri, labels: view.labels, scripts: ['forms.js']},
    content,
  )
}

/** Attributes of a form for its script: prefixes, and where names and labels are read. */
function resourcesOf({base, names}: HtmlSite): Markup {
  const root = localPath(base)
  return markup` data-names="${root}.system/names" data-endpoint="${root}sparql" data-prefixes="${JSON.stringify(
    names.prefixes,
  )}"`
}

function heading(view: View, what: string): Markup {
  return markup`<h1>${what} <bdi>${titleOf(view)}</bdi></h1>`
}

function scriptless(): Markup {
  return markup`<noscript><p class="notice">This form needs JavaScript. Any HTTP client can make the same changes with
    POST, PATCH and DELETE.</p></noscript>`
}

/** The place where the script reports errors, the button that submits, and the link back to the document. */
function buttons(iri: Iri, label: string, kind?: 'danger'): Markup {
  return markup`<div data-outcome role="alert" tabindex="-1"></div><p class="buttons stay"><button type="submit"
    class="button primary${kind === 'danger' && ' danger'}">${label}</button><a class="button" href="${localPath(iri)}"
    >Cancel</a></p>`
}
