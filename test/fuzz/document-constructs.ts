/**
 * Each construct of each RDF syntax, and of LD Patch, as a text that grows with a number.
 *
 * A text for twice the number must take about twice the time, and none may block the service.
 */

/** The text of a construct that is repeated `n` times, `n` long, or `n` deep up to the allowed depth. */
export type Construct = {readonly name: string; readonly type: string; readonly text: (n: number) => string}

const rdfXmlHead =
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/" xml:base="http://e/">'

function many(n: number, text: (at: number) => string, separator = ''): string {
  return Array.from({length: n}, (_, at) => text(at)).join(separator)
}

/** Nests 90 levels deep, repeatedly. */
function nested(n: number, open: string, close: string, separator = ','): string {
  return many(Math.ceil(n / 90), () => open.repeat(90) + close.repeat(90), separator)
}

const xml = (inside: string) => `${rdfXmlHead}${inside}</rdf:RDF>`
const chain = (n: number, text: (at: number) => string) =>
  `{"@context":{${many(n, text, ',')}},"@id":"","http://e/p":1}`

const turtle: Readonly<Record<string, (n: number) => string>> = {
  statements: n => many(n, at => `<s${at}> <http://e/p> "${at}" .\n`),
  'statements about one subject': n => many(n, at => `<> <http://e/p${at % 50}> ${at} .\n`),
  'objects of one predicate': n => `<> <http://e/p> ${many(n, String, ',')} .`,
  'predicates of one subject': n => `<> ${many(n, at => `<http://e/p${at}> 1`, ';')} .`,
  semicolons: n => `<> <http://e/p> 1 ${';'.repeat(n)} .`,
  'one collection': n => `<> <http://e/p> (${many(n, String, ' ')}) .`,
  'nested collections': n => `<> <http://e/p> ${nested(n, '(', ')')} .`,
  'nested blank nodes': n =>
    `<> <http://e/p> ${nested(n, '[<http://e/p>', '[]]'.replace('[]', ''), ',').replaceAll('<http://e/p>]', '<http://e/p> 1]')} .`,
  'empty blank nodes': n => `<> <http://e/p> ${many(n, () => '[]', ',')} .`,
  'blank node labels': n => many(n, at => `_:b${at} <http://e/p> _:b${at + 1} .\n`),
  'a list in triples': n =>
    many(
      n,
      at =>
        `_:b${at} <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> 1 ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:b${at + 1} .\n`,
    ),
  'prefix declarations': n => many(n, at => `@prefix p${at}: <http://e/${at}/> .\n`),
  'one prefix declared again': n => many(n, at => `PREFIX p: <http://e/${at}/>\n`),
  'base declarations': n => many(n, at => `@base <a${at}/> .\n`.replace(/a\d+\//, 'http://e/')),
  'relative IRIs': n => many(n, at => `<../a${at}/./b> <p> <#${at}> .\n`),
  'one IRI of dots': n => `<> <http://e/p> <${'../'.repeat(n)}> .`,
  'one long IRI': n => `<> <http://e/p> <http://e/${'a'.repeat(n)}> .`,
  'IRI escapes': n => `<> <http://e/p> <http://e/${'\\u00e9'.repeat(n)}> .`,
  'name escapes': n => `@prefix e: <http://e/> . <> e:p e:${'\\~'.repeat(n)} .`,
  'one long literal': n => `<> <http://e/p> "${'a'.repeat(n)}" .`,
  'literal escapes': n => `<> <http://e/p> "${'\\n\\u0041'.repeat(n)}" .`,
  'a long literal of lines': n => `<> <http://e/p> """${'a"\n'.repeat(n)}""" .`,
  'quotes in a long literal': n => `<> <http://e/p> """${'""a'.repeat(n)}""" .`,
  'long literals': n => `<> <http://e/p> ${many(n, at => `"""${at}"""`, ',')} .`,
  'an open long literal': n => `<> <http://e/p> """${'a\n'.repeat(n)}`,
  'open quotes': n => `<> <http://e/p> ${'"'.repeat(n)}`,
  'language tags': n => `<> <http://e/p> ${many(n, at => `"${at}"@en-a${at % 1000}`, ',')} .`,
  datatypes: n => `<> <http://e/p> ${many(n, at => `"${at}"^^<http://e/${at}>`, ',')} .`,
  numbers: n => `<> <http://e/p> ${many(n, at => `${at}.5e1`, ',')} .`,
  'one long number': n => `<> <http://e/p> ${'9'.repeat(n)} .`,
  'one long decimal': n => `<> <http://e/p> ${'9'.repeat(n)}.5 .`,
  comments: n => '#\n'.repeat(n),
  'one long comment': n => `#${'a'.repeat(n)}`,
  'line ends': n => '\n'.repeat(n),
  spaces: n => ' '.repeat(n),
  'an error at the end of many lines': n => `${'\n'.repeat(n)}<a`,
  'an error after many statements': n => `${many(n, at => `<s> <p> ${at} .\n`)}<a> <b> .`,
  'an undeclared prefix at the end': n => `${'#\r\n'.repeat(n)}<a> <b> p:x .`,
  'an open IRI': n => `<> <http://e/p> <${'a'.repeat(n)}`,
  'an open bracket for each': n => `<> <http://e/p> ${'['.repeat(n)}`,
}

const trig: Readonly<Record<string, (n: number) => string>> = {
  'graph blocks': n => many(n, at => `{ <s${at}> <http://e/p> 1 }\n`),
  'statements in one graph': n => `{ ${many(n, at => `<s${at}> <http://e/p> ${at} .\n`)} }`,
  'empty graphs': n => '{}'.repeat(n),
  'graphs of others': n => many(n, at => `GRAPH <http://e/g${at}> { <s> <http://e/p> 1 }\n`),
}

const lines: Readonly<Record<string, (n: number) => string>> = {
  lines: n => many(n, at => `<http://e/s${at}> <http://e/p> "${at}" .\n`),
  labels: n => many(n, at => `_:b${at} <http://e/p> _:c${at} .\n`),
  comments: n => '# a\n'.repeat(n),
  'one long literal': n => `<http://e/s> <http://e/p> "${'a'.repeat(n)}" .\n`,
  'escapes of a literal': n => `<http://e/s> <http://e/p> "${'\\"\\U0001F600'.repeat(n)}" .\n`,
  'long IRIs': n => many(Math.ceil(n / 500), at => `<http://e/${at}/${'a/../'.repeat(100)}> <http://e/p> "1" .\n`),
}

const jsonLd: Readonly<Record<string, (n: number) => string>> = {
  nodes: n => `[${many(n, at => `{"@id":"#${at}","http://e/p":[{"@value":"${at}"}]}`, ',')}]`,
  'compact nodes': n =>
    `{"@context":{"e":"http://e/","p":{"@id":"e:p","@type":"@id"}},"@graph":[${many(n, at => `{"@id":"#${at}","@type":"e:T","p":"e:${at}"}`, ',')}]}`,
  'values of one property': n => `{"@id":"","http://e/p":[${many(n, String, ',')}]}`,
  'properties of one node': n => `{"@id":"",${many(n, at => `"http://e/p${at}":1`, ',')}}`,
  'types of one node': n => `{"@id":"","@type":[${many(n, at => `"http://e/T${at}"`, ',')}]}`,
  'empty objects': n => `{"@id":"","http://e/p":[${many(n, () => '{}', ',')}]}`,
  'empty arrays': n => `{"@id":"","http://e/p":[${many(n, () => '[]', ',')}]}`,
  'null values': n => `{"@id":"","http://e/p":[${many(n, () => 'null', ',')}]}`,
  'one @list': n => `{"@id":"","http://e/p":{"@list":[${many(n, String, ',')}]}}`,
  'nested @list': n =>
    `{"@id":"","http://e/p":[${nested(n, '{"@list":[', ']}').replaceAll('{"@list":[]}', '{"@list":[1]}')}]}`.replaceAll(
      '{"@list":['.repeat(45),
      '{"@list":[',
    ),
  'nested nodes': n =>
    `{"@id":"","http://e/p":[${nested(n, '{"http://e/p":', '1}').replaceAll('1}1}', '1}}').replaceAll('1}1}', '1}}')}]}`,
  '@set': n => `{"@id":"","http://e/p":{"@set":[${many(n, String, ',')}]}}`,
  '@graph': n => `{"@id":"","@graph":[${many(n, at => `{"@id":"#${at}","http://e/p":1}`, ',')}]}`,
  'graphs in an array': n => `[${many(n, at => `{"@graph":[{"@id":"#${at}","http://e/p":1}]}`, ',')}]`,
  '@included': n => `{"@id":"","@included":[${many(n, at => `{"@id":"#${at}","http://e/p":1}`, ',')}]}`,
  '@reverse': n => `{"@id":"","@reverse":{"http://e/p":[${many(n, at => `{"@id":"#${at}"}`, ',')}]}}`,
  '@nest': n => `{"@context":{"n":"@nest"},"@id":"","n":[${many(n, at => `{"http://e/p":${at}}`, ',')}]}`,
  'index maps': n =>
    `{"@context":{"i":{"@id":"http://e/i","@container":"@index"}},"@id":"","i":{${many(n, at => `"k${at}":${at}`, ',')}}}`,
  'id maps': n =>
    `{"@context":{"i":{"@id":"http://e/i","@container":"@id"}},"@id":"","i":{${many(n, at => `"#${at}":{"http://e/p":1}`, ',')}}}`,
  'type maps': n =>
    `{"@context":{"i":{"@id":"http://e/i","@container":"@type"}},"@id":"","i":{${many(n, at => `"http://e/${at}":{"http://e/p":1}`, ',')}}}`,
  'graph maps': n =>
    `{"@context":{"i":{"@id":"http://e/i","@container":["@graph","@id"]}},"@id":"","i":{${many(n, at => `"#${at}":{"http://e/p":1}`, ',')}}}`,
  'language maps': n =>
    `{"@context":{"l":{"@id":"http://e/l","@container":"@language"}},"@id":"","l":{${many(n, at => `"en-a${at}":"x"`, ',')}}}`,
  'contexts in an array': n => `{"@context":[${many(n, () => '{}', ',')}],"@id":"","http://e/p":1}`,
  'contexts of a term in an array': n =>
    `{"@context":[${many(n, at => `{"t${at}":"http://e/"}`, ',')}],"@id":"","http://e/p":1}`,
  'nulls in a context': n => `{"@context":[${many(n, () => 'null', ',')}],"@id":"","http://e/p":1}`,
  'a context for each node': n =>
    `[${many(n, at => `{"@context":{"p":"http://e/p${at}"},"@id":"#${at}","p":1}`, ',')}]`,
  'the same context for each node': n =>
    `[${many(n, at => `{"@context":{"p":"http://e/p"},"@id":"#${at}","p":1}`, ',')}]`,
  'a bundled context for each node': n =>
    `[${many(n, at => `{"@context":"https://carbonldp.com/ns/v1/platform","@id":"#${at}","c:p":1}`, ',')}]`,
  'term definitions': n => chain(n, at => `"t${at}":"http://e/${at}"`),
  'term definitions as objects': n => chain(n, at => `"t${at}":{"@id":"http://e/${at}","@type":"@id"}`),
  'terms by the next term': n => chain(n, at => `"t${at}":"t${at + 1}:x"`),
  'terms by the one before': n => chain(n, at => `"t${at + 1}":"${at === 0 ? 'http://e/' : `t${at}:x`}"`),
  'scoped contexts': n => chain(n, at => `"t${at}":{"@id":"http://e/${at}","@context":{"u":"http://e/u"}}`),
  'scoped contexts in use': n =>
    `{"@context":{"t":{"@id":"http://e/t","@context":{"u":"http://e/u"}}},"@id":"","t":[${many(n, at => `{"@id":"#${at}","u":1}`, ',')}]}`,
  'contexts of types in use': n =>
    `{"@context":{"T":{"@id":"http://e/T","@context":{"u":"http://e/u"}}},"@graph":[${many(n, at => `{"@id":"#${at}","@type":"T","u":1}`, ',')}]}`,
  '@json': n =>
    `{"@context":{"j":{"@id":"http://e/j","@type":"@json"}},"@id":"","j":{${many(n, at => `"k${at}":[${at}]`, ',')}}}`,
  'one long string': n => `{"@id":"","http://e/p":"${'a'.repeat(n)}"}`,
  'escapes of a string': n => `{"@id":"","http://e/p":"${'\\n\\u0041'.repeat(n)}"}`,
  'one long IRI': n => `{"@id":"","http://e/p":{"@id":"http://e/${'a'.repeat(n)}"}}`,
  'one IRI of dots': n => `{"@id":"","http://e/p":{"@id":"${'../'.repeat(n)}"}}`,
  'one long number': n => `{"@id":"","http://e/p":${'9'.repeat(n)}}`,
  spaces: n => `{"@id":""${' '.repeat(n)}}`,
  'arrays in arrays': n => `[${many(Math.ceil(n / 90), () => '['.repeat(90) + ']'.repeat(90), ',')}]`,
  'blank node ids': n => `[${many(n, at => `{"@id":"_:b${at}","http://e/p":{"@id":"_:b${at + 1}"}}`, ',')}]`,
  'an error at the end': n => `[${many(n, () => '{}\n', ',')}`,
  'one name twice': n => `{${many(n, at => `"n${at}":1`, ',')},"n0":1}`,
}

const rdfXml: Readonly<Record<string, (n: number) => string>> = {
  descriptions: n => xml(many(n, at => `<rdf:Description rdf:about="#${at}"><e:p>${at}</e:p></rdf:Description>`)),
  'properties of one node': n => xml(`<e:T rdf:about="">${many(n, at => `<e:p>${at}</e:p>`)}</e:T>`),
  'properties of different names': n => xml(`<e:T rdf:about="">${many(n, at => `<e:p${at}>1</e:p${at}>`)}</e:T>`),
  attributes: n => xml(`<e:T rdf:about="" ${many(n, at => `e:a${at}="1"`, ' ')}/>`),
  'namespaces of one element': n => xml(`<e:T rdf:about="" ${many(n, at => `xmlns:n${at}="http://e/${at}"`, ' ')}/>`),
  'a namespace for each element': n => xml(many(n, at => `<n:T xmlns:n="http://e/${at}/"/>`)),
  'nested elements': n => xml(many(Math.ceil(n / 40), () => '<e:T><e:p>'.repeat(40) + '</e:p></e:T>'.repeat(40))),
  'parseType Resource': n =>
    xml(`<e:T rdf:about="">${many(n, at => `<e:p rdf:parseType="Resource"><e:q>${at}</e:q></e:p>`)}</e:T>`),
  'a collection': n =>
    xml(`<e:T rdf:about=""><e:p rdf:parseType="Collection">${many(n, at => `<e:T rdf:about="#${at}"/>`)}</e:p></e:T>`),
  containers: n => xml(`<rdf:Bag rdf:about="">${many(n, at => `<rdf:li>${at}</rdf:li>`)}</rdf:Bag>`),
  'an XML literal': n =>
    xml(`<e:T rdf:about=""><e:p rdf:parseType="Literal">${many(n, at => `<a b="${at}">x</a>`)}</e:p></e:T>`),
  'XML literals': n =>
    xml(`<e:T rdf:about="">${many(n, at => `<e:p rdf:parseType="Literal"><a>${at}</a></e:p>`)}</e:T>`),
  'rdf:ID': n => xml(many(n, at => `<e:T rdf:ID="i${at}"/>`)),
  'statements with names': n => xml(`<e:T rdf:about="">${many(n, at => `<e:p rdf:ID="i${at}">1</e:p>`)}</e:T>`),
  'node ids': n => xml(many(n, at => `<e:T rdf:nodeID="n${at}"/>`)),
  'one long text': n => xml(`<e:T rdf:about=""><e:p>${'a'.repeat(n)}</e:p></e:T>`),
  'lines of a text': n => xml(`<e:T rdf:about=""><e:p>${'a\r\n'.repeat(n)}</e:p></e:T>`),
  'character references': n => xml(`<e:T rdf:about=""><e:p>${'&#65;'.repeat(n)}</e:p></e:T>`),
  entities: n => `<!DOCTYPE r [<!ENTITY a "b">]>${xml(`<e:T rdf:about=""><e:p>${'&a;'.repeat(n)}</e:p></e:T>`)}`,
  'entity declarations': n => `<!DOCTYPE r [${many(n, at => `<!ENTITY a${at} "b">`)}]>${xml('')}`,
  'entities by entities': n =>
    `<!DOCTYPE r [<!ENTITY a0 "b">${many(n, at => `<!ENTITY a${at + 1} "&a${at};">`)}]>${xml('')}`,
  comments: n => xml('<!-- a -->'.repeat(n)),
  'one long comment': n => xml(`<!-- ${'a '.repeat(n)}-->`),
  'processing instructions': n => xml('<?a b?>'.repeat(n)),
  'CDATA sections': n => xml(`<e:T rdf:about=""><e:p>${'<![CDATA[a]]>'.repeat(n)}</e:p></e:T>`),
  spaces: n => xml(' \n'.repeat(n)),
  'an open tag': n => `${rdfXmlHead}<e:T e:p="${'a'.repeat(n)}`,
  'an error at the end': n => `${rdfXmlHead}${'\n'.repeat(n)}<e:T>`,
  bases: n => xml(many(n, at => `<e:T xml:base="http://e/${at}/" rdf:about="x"/>`)),
}

const ldPatch: Readonly<Record<string, (n: number) => string>> = {
  'triples to add': n => `Add { ${many(n, at => `<#${at}> <http://e/p> ${at} .\n`)} } .`,
  'additions of one triple': n => many(n, at => `Add { <#${at}> <http://e/p> ${at} } .\n`),
  'additions that may be there': n => many(n, at => `AddNew { <#${at}> <http://e/p> ${at} } .\n`),
  'triples that may be missing': n => `DeleteExisting { ${many(n, at => `<#${at}> <http://e/p> ${at} .\n`)} } .`,
  'blank nodes': n => `Add { ${many(n, at => `_:b${at} <http://e/p> _:b${at + 1} .\n`)} } .`,
  'one collection': n => `Add { <> <http://e/l> (${many(n, String, ' ')}) . } .`,
  'nested collections': n => `Add { <> <http://e/p> ${nested(n, '(', ')')} . } .`,
  bindings: n => many(n, at => `Bind ?v${at} <#${at}> .\n`),
  'paths of one step': n => `Add { <> <http://e/x> <#x> } .\n${many(n, at => `Bind ?v${at} <> /<http://e/x> .\n`)}`,
  'one long path': n => `Add { <> <http://e/x> <> } .\nBind ?v <> ${'/<http://e/x>'.repeat(n)} .`,
  filters: n => `Add { <> <http://e/x> <> } .\nBind ?v <> /<http://e/x>${'[/<http://e/x>]'.repeat(n)} .`,
  'one filter each': n => many(n, at => `Add { <> <http://e/x${at}> <> } .\nBind ?v${at} <> [/<http://e/x${at}>] .\n`),
  cuts: n => many(n, at => `Add { _:c${at} <http://e/x> <#x> } .\n`),
  'list updates': n =>
    `Add { <> <http://e/l> ( 1 2 3 ) } .\n${many(n, () => 'UpdateList <> <http://e/l> 0..1 ( 1 ) .\n')}`,
  'list updates that grow': n =>
    `Add { <> <http://e/l> ( 1 2 3 ) } .\n${many(n, () => 'UpdateList <> <http://e/l> .. ( 1 ) .\n'.replace(' .. ', ' 0..0 '))}`,
  'list updates at the end': n =>
    `Add { <> <http://e/l> ( 1 ) } .\n${many(n, () => 'UpdateList <> <http://e/l> .. ( 1 ) .\n'.replace('> .. (', '> 1.. ('))}`,
  'one update of a long list': n =>
    `Add { <> <http://e/l> ( ${many(n, String, ' ')} ) } .\nUpdateList <> <http://e/l> 0..1 ( 1 ) .`,
  'prefix declarations': n => many(n, at => `@prefix p${at}: <http://e/${at}/> .\n`),
  comments: n => '#\n'.repeat(n),
  'one long literal': n => `Add { <> <http://e/p> "${'a'.repeat(n)}" } .`,
  'literal escapes': n => `Add { <> <http://e/p> "${'\\n\\u0041'.repeat(n)}" } .`,
  'long literals of lines': n => `Add { <> <http://e/p> """${'a"\n'.repeat(n)}""" } .`,
  'one IRI of dots': n => `Add { <> <http://e/p> <${'../'.repeat(n)}> } .`,
  'objects of one predicate': n => `Add { <> <http://e/p> ${many(n, String, ', ')} } .`,
  'an error at the end': n => `${'\n'.repeat(n)}Add {`,
  'an open literal': n => `Add { <> <http://e/p> "${'a'.repeat(n)}`,
}

function constructsOf(type: string, texts: Readonly<Record<string, (n: number) => string>>): readonly Construct[] {
  return Object.entries(texts).map(([name, text]) => ({name, type, text}))
}

export const constructs: readonly Construct[] = [
  ...constructsOf('text/turtle', turtle),
  ...constructsOf('application/trig', trig),
  ...constructsOf('application/n-triples', lines),
  ...constructsOf('application/n-quads', lines),
  ...constructsOf('application/ld+json', jsonLd),
  ...constructsOf('application/rdf+xml', rdfXml),
  ...constructsOf('text/ldpatch', ldPatch),
]

/** The longest text of a construct with at most this many characters, to within one percent. */
export function grownTo({text}: Construct, length: number): {readonly n: number; readonly text: string} {
  let n = 1000
  let grown = text(n)
  for (let step = 0; step < 4 || grown.length > length; step += 1) {
    n = Math.max(1, Math.floor((n * length * 0.995) / grown.length))
    grown = text(n)
    if (n === 1) break
  }
  return {n, text: grown}
}
