/** A small shelf of books, for tests of pages and for the pictures of the README. */
import type {TestService} from './service.ts'

const prefixes = `@prefix dct: <http://purl.org/dc/terms/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix ex: <http://example.org/ns#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix c: <https://carbonldp.com/ns/v1/platform#> . @prefix ldp: <http://www.w3.org/ns/ldp#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n`

const documents: readonly (readonly [parent: string, slug: string, body: string])[] = [
  [
    '/',
    'books',
    '<> dct:title "Books"@en, "Bücher"@de ; dct:description "A shelf of novels, in the order in which they came."@en .',
  ],
  ['/', 'authors', '<> dct:title "Authors"@en .'],
  [
    '/authors/',
    'austen',
    `<> a foaf:Person ; foaf:name "Jane Austen" ; ex:born "1775-12-16"^^xsd:date ;
       foaf:homepage <https://janeaustens.house/> .`,
  ],
  [
    '/books/',
    'emma',
    `<> a ex:Novel ; dct:title "Emma"@en ; dct:creator </authors/austen/> ; dct:issued "1815"^^xsd:gYear ;
       ex:pages 474 ; ex:volumes ("Volume I" "Volume II" "Volume III") ;
       ex:publisher [ foaf:name "John Murray" ; ex:place "London" ] ;
       dct:subject <#matchmaking> .
     <#matchmaking> a skos:Concept ; skos:prefLabel "Matchmaking"@en .`,
  ],
  [
    '/books/',
    'persuasion',
    '<> a ex:Novel ; dct:title "Persuasion"@en ; dct:creator </authors/austen/> ; dct:relation </books/emma/> ; ex:pages 249 .',
  ],
  [
    '/books/',
    'classics',
    '<> a c:AccessPoint ; ldp:hasMemberRelation ex:classic ; ldp:isMemberOfRelation ex:classicOf .',
  ],
]

/** Adds the documents to a new service. */
export async function fillShelf({send}: TestService): Promise<void> {
  const turtle = {'Content-Type': 'text/turtle'}
  for (const [path, slug, body] of documents) {
    const {status, text} = await send({method: 'POST', path, headers: {...turtle, Slug: slug}, body: prefixes + body})
    if (status !== 201) throw new Error(text)
  }
  const member = `${prefixes}[] a c:AddMemberAction ; c:targetMember </books/emma/> .`
  const headers = {...turtle, Prefer: 'http://www.w3.org/ns/ldp#Container; rel=interaction-model'}
  const {status, text} = await send({method: 'PUT', path: '/books/classics/', headers, body: member})
  if (status !== 204) throw new Error(text)
}
