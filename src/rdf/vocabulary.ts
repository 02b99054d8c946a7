/**
 * IRIs of the vocabularies that the service uses.
 *
 * The setting PLATFORM_NS is the namespace of the platform's own vocabulary (prefix `c:`), so that vocabulary is a
 * function of it.
 */
const ns = <Name extends string>(base: string, names: readonly Name[]): {readonly [name in Name]: string} =>
  Object.fromEntries(names.map(name => [name, base + name])) as {[name in Name]: string}

export const xsdNamespace = 'http://www.w3.org/2001/XMLSchema#'
export const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const ldpNamespace = 'http://www.w3.org/ns/ldp#'

export const xsd = ns(xsdNamespace, [
  'anyURI',
  'base64Binary',
  'boolean',
  'byte',
  'date',
  'dateTime',
  'dateTimeStamp',
  'dayTimeDuration',
  'decimal',
  'double',
  'duration',
  'float',
  'gDay',
  'gMonth',
  'gMonthDay',
  'gYear',
  'gYearMonth',
  'hexBinary',
  'int',
  'integer',
  'long',
  'negativeInteger',
  'nonNegativeInteger',
  'nonPositiveInteger',
  'positiveInteger',
  'short',
  'string',
  'time',
  'unsignedByte',
  'unsignedInt',
  'unsignedLong',
  'unsignedShort',
  'yearMonthDuration',
])

export const rdf = ns(rdfNamespace, ['type', 'first', 'rest', 'nil', 'langString', 'XMLLiteral', 'JSON', 'HTML'])

export const ldp = ns(ldpNamespace, [
  'BasicContainer',
  'Container',
  'DirectContainer',
  'IndirectContainer',
  'MemberSubject',
  'NonRDFSource',
  'PreferContainment',
  'PreferMembership',
  'PreferMinimalContainer',
  'RDFSource',
  'Resource',
  'constrainedBy',
  'contains',
  'hasMemberRelation',
  'insertedContentRelation',
  'isMemberOfRelation',
  'member',
  'membershipResource',
])

const platformNames = [
  'AccessPoint',
  'AccessPointCreatedEvent',
  'AccessPointCreatedEventDetails',
  'AddMemberAction',
  'ChildCreatedEvent',
  'DocumentMetadata',
  'Document',
  'DocumentCreatedEvent',
  'DocumentCreatedEventDetails',
  'DocumentDeletedEvent',
  'DocumentModifiedEvent',
  'Error',
  'ErrorResponse',
  'Map',
  'MemberAddedEvent',
  'MemberAddedEventDetails',
  'MemberRemovedEvent',
  'MemberRemovedEventDetails',
  'Platform',
  'PlatformInstance',
  'PreferContainer',
  'PreferContainmentResources',
  'PreferDocumentChecksums',
  'PreferMembershipTriples',
  'PreferResultsContexts',
  'PreferSelectedMembershipTriples',
  'RemoveMemberAction',
  'ResponseMetadata',
  'VolatileResource',
  'accessPoint',
  'bNodesMap',
  'buildDate',
  'checksum',
  'created',
  'createdAccessPoint',
  'createdDocument',
  'details',
  'document',
  'documentMetadata',
  'entry',
  'entryKey',
  'entryValue',
  'error',
  'errorCode',
  'errorMessage',
  'errorParameters',
  'httpStatusCode',
  'instance',
  'member',
  'modified',
  'relatedDocument',
  'requestID',
  'target',
  'targetMember',
  'version',
] as const

export type PlatformVocabulary = {readonly [name in (typeof platformNames)[number]]: string}

/** The platform's terms in a namespace, by default https://carbonldp.com/ns/v1/platform# (decision 0008). */
export function platformVocabulary(namespace: string): PlatformVocabulary {
  return ns(namespace, platformNames)
}

/** The property function of Jena that finds literals by their words. */
export const textQuery = 'http://jena.apache.org/text#query'

/** Properties whose values are labels, in order of preference. */
export const labelProperties: readonly string[] = [
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://schema.org/name',
  'https://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
]
