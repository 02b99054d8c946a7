/** Questions about the data of `statements`, as those who know Wikidata ask them. */
export const statementPrefixes = `PREFIX wd: <http://data.example/entity/>
PREFIX wdt: <http://data.example/prop/direct/>
PREFIX p: <http://data.example/prop/>
PREFIX ps: <http://data.example/prop/statement/>
PREFIX pq: <http://data.example/prop/qualifier/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX schema: <http://schema.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
`

export const statementQueries: Readonly<Record<string, string>> = {
  'people of an occupation, born in a period, with names': `
SELECT ?person ?label ?born WHERE {
  ?person wdt:P106 wd:Q4003 ; wdt:P569 ?born ; rdfs:label ?label .
  FILTER (?born >= "1950-01-01T00:00:00Z"^^xsd:dateTime && ?born < "1980-01-01T00:00:00Z"^^xsd:dateTime)
  FILTER (LANG(?label) = "en")
} ORDER BY ?born ?person LIMIT 50`,
  'latest population of cities by qualifier': `
SELECT ?city ?population ?when WHERE {
  ?city wdt:P31 wd:Q1002 ; wdt:P17 wd:Q3005 ; p:P1082 ?statement .
  ?statement ps:P1082 ?population ; pq:P585 ?when ; wikibase:rank wikibase:PreferredRank .
} ORDER BY DESC(?population) ?city LIMIT 20`,
  'the latest of several statements, joined back': `
SELECT ?city ?population ?latest WHERE {
  { SELECT ?city (MAX(?when) AS ?latest) WHERE { ?city wdt:P17 wd:Q3002 ; p:P1082/pq:P585 ?when } GROUP BY ?city }
  ?city p:P1082 ?statement .
  ?statement pq:P585 ?latest ; ps:P1082 ?population .
}`,
  'largest city of each country': `
SELECT ?country ?city ?most WHERE {
  { SELECT ?country (MAX(?population) AS ?most) WHERE {
      ?city wdt:P31 wd:Q1002 ; wdt:P17 ?country ; wdt:P1082 ?population } GROUP BY ?country }
  ?city wdt:P17 ?country ; wdt:P1082 ?most ; wdt:P31 wd:Q1002 .
}`,
  'universities with most graduates': `
SELECT ?university ?name (COUNT(DISTINCT ?person) AS ?graduates) WHERE {
  ?person p:P69 ?statement . ?statement ps:P69 ?university ; pq:P582 ?end .
  ?university rdfs:label ?name . FILTER (LANG(?name) = "en")
} GROUP BY ?university ?name HAVING (COUNT(DISTINCT ?person) > 20) ORDER BY DESC(?graduates) ?university LIMIT 10`,
  'colleagues: who worked at one place at the same time': `
SELECT ?a ?b ?place WHERE {
  ?a p:P108 ?s1 . ?s1 ps:P108 ?place ; pq:P580 ?from1 ; pq:P582 ?to1 .
  ?b p:P108 ?s2 . ?s2 ps:P108 ?place ; pq:P580 ?from2 ; pq:P582 ?to2 .
  ?place wdt:P17 wd:Q3001 .
  FILTER (STR(?a) < STR(?b) && ?from1 < ?to2 && ?from2 < ?to1)
}`,
  'places within a region, to any depth': `
SELECT ?place ?population WHERE { ?place wdt:P131+ wd:Q10007 ; wdt:P1082 ?population FILTER (?population > 100000) }`,
  'people born anywhere in a country': `
SELECT (COUNT(DISTINCT ?person) AS ?count) WHERE { ?person wdt:P19/wdt:P131* wd:Q3007 ; wdt:P31 wd:Q1000 }`,
  'descendants of a person': `
SELECT ?descendant ?born WHERE { wd:Q200015 wdt:P40+ ?descendant . OPTIONAL { ?descendant wdt:P569 ?born } }`,
  'occupation with all of its kinds': `
SELECT ?occupation (COUNT(*) AS ?people) WHERE { ?person wdt:P106 ?occupation . ?occupation wdt:P279* wd:Q4001 }
GROUP BY ?occupation ORDER BY DESC(?people) ?occupation LIMIT 10`,
  'label with fallback of languages': `
SELECT ?film (COALESCE(?cy, ?ja, ?en) AS ?label) WHERE {
  ?film wdt:P31 wd:Q1005 ; wdt:P136 wd:Q4502 ; wdt:P495 wd:Q3004 ; rdfs:label ?en FILTER (LANG(?en) = "en")
  OPTIONAL { ?film rdfs:label ?ja FILTER (LANG(?ja) = "ja") }
  OPTIONAL { ?film rdfs:label ?cy FILTER (LANG(?cy) = "cy") }
}`,
  'films of a director with the cast': `
SELECT ?film ?title ?actor ?character WHERE {
  ?film wdt:P57 wd:Q200003 ; rdfs:label ?title ; p:P161 ?cast . FILTER (LANG(?title) = "en")
  ?cast ps:P161 ?actor . OPTIONAL { ?cast pq:P453 ?character }
}`,
  'actors who play in films they directed': `
SELECT ?person (COUNT(?film) AS ?films) WHERE { ?film wdt:P57 ?person ; wdt:P161 ?person }
GROUP BY ?person HAVING (COUNT(?film) > 1) ORDER BY DESC(?films) ?person`,
  'pairs of actors in several films': `
SELECT ?a ?b (COUNT(DISTINCT ?film) AS ?films) WHERE {
  ?film wdt:P161 ?a , ?b ; wdt:P136 wd:Q4501 . FILTER (STR(?a) < STR(?b))
} GROUP BY ?a ?b HAVING (COUNT(DISTINCT ?film) > 1) ORDER BY DESC(?films) ?a ?b LIMIT 20`,
  'living people without a spouse': `
SELECT (COUNT(*) AS ?count) WHERE {
  ?person wdt:P31 wd:Q1000 ; wdt:P569 ?born . FILTER (?born > "1960-01-01T00:00:00Z"^^xsd:dateTime)
  FILTER NOT EXISTS { ?person wdt:P570 ?died } FILTER NOT EXISTS { ?person wdt:P26 ?spouse }
}`,
  'age at death by century': `
SELECT ?century (COUNT(*) AS ?people) (AVG(?age) AS ?mean) WHERE {
  ?person wdt:P569 ?born ; wdt:P570 ?died .
  BIND (YEAR(?died) - YEAR(?born) AS ?age) BIND (FLOOR(YEAR(?born) / 100) AS ?century)
} GROUP BY ?century ORDER BY ?century`,
  'awards by decade': `
SELECT ?award ?decade (COUNT(*) AS ?times) WHERE {
  ?person p:P166 ?statement . ?statement ps:P166 ?award ; pq:P585 ?when .
  BIND (xsd:integer(FLOOR(YEAR(?when) / 10) * 10) AS ?decade) FILTER (?decade >= 1900)
} GROUP BY ?award ?decade HAVING (COUNT(*) >= 5) ORDER BY DESC(?times) ?award ?decade LIMIT 30`,
  'text in names': `
SELECT ?item ?label WHERE { ?item rdfs:label ?label ; wdt:P31 wd:Q1003 .
  FILTER (LANG(?label) = "de" && CONTAINS(LCASE(?label), "zoba")) }`,
  'name begins with, any language of a list': `
SELECT DISTINCT ?item WHERE { ?item wdt:P31 wd:Q1002 ; rdfs:label ?label .
  FILTER (LANGMATCHES(LANG(?label), "pt") && STRSTARTS(STR(?label), "Ba")) }`,
  'several items with values, by VALUES': `
SELECT ?item ?en ?modified ?sitelinks WHERE {
  VALUES ?item { wd:Q200000 wd:Q200001 wd:Q400005 wd:Q100030 wd:Q10010 wd:Q3003 }
  ?item rdfs:label ?en ; schema:dateModified ?modified ; wikibase:sitelinks ?sitelinks . FILTER (LANG(?en) = "en")
}`,
  'recently changed, first page': `
SELECT ?item ?modified WHERE { ?item schema:dateModified ?modified ; wdt:P31 wd:Q1004 ; wikibase:sitelinks ?links .
  FILTER (?links > 5) }
ORDER BY DESC(?modified) ?item LIMIT 25`,
  'profit of companies and their parents': `
SELECT ?company ?parent ?own ?theirs WHERE {
  ?company wdt:P749 ?parent ; wdt:P2139 ?own . ?parent wdt:P2139 ?theirs FILTER (?own > ?theirs)
} ORDER BY DESC(?own) ?company LIMIT 20`,
  'films that cost, by genre and country': `
SELECT ?genre ?country (SUM(?gross) AS ?total) (COUNT(DISTINCT ?film) AS ?films) WHERE {
  ?film wdt:P31 wd:Q1005 ; wdt:P136 ?genre ; wdt:P495 ?country ; wdt:P2142 ?gross ; wdt:P577 ?date .
  FILTER (?date >= "1990-01-01T00:00:00Z"^^xsd:dateTime)
} GROUP BY ?genre ?country HAVING (COUNT(DISTINCT ?film) > 3) ORDER BY DESC(?total) ?genre ?country LIMIT 15`,
  'one item as a graph': `CONSTRUCT { wd:Q200007 ?p ?o } WHERE { wd:Q200007 ?p ?o }`,
  'statements of one item with qualifiers': `
SELECT ?property ?value ?qualifier ?qualified WHERE {
  wd:Q200020 ?property ?statement . ?statement wikibase:rank ?rank ; ?valueProperty ?value .
  FILTER (STRSTARTS(STR(?valueProperty), "http://data.example/prop/statement/"))
  OPTIONAL { ?statement ?qualifier ?qualified .
    FILTER (STRSTARTS(STR(?qualifier), "http://data.example/prop/qualifier/")) }
}`,
  'a graph of families': `
CONSTRUCT { ?parent schema:children ?child . ?child schema:birthPlace ?place } WHERE {
  ?parent wdt:P40 ?child ; wdt:P27 wd:Q3001 . ?child wdt:P19 ?place
}`,
  'use of properties': `
SELECT ?p (COUNT(*) AS ?uses) (COUNT(DISTINCT ?s) AS ?subjects) WHERE { ?s ?p ?o }
GROUP BY ?p ORDER BY DESC(?uses) ?p LIMIT 20`,
  'identifiers that two items share': `
SELECT ?p (COUNT(?item) AS ?items) WHERE { ?item wdt:P31 wd:Q1006 ; ?p ?value .
  FILTER (STRSTARTS(STR(?p), "http://data.example/prop/direct/P90")) }
GROUP BY ?p HAVING (COUNT(?item) > 5) ORDER BY DESC(?items) ?p`,
  'pages of people of an occupation': `
SELECT ?person ?page WHERE { ?person wdt:P106 wd:Q4020 ; wdt:P27 wd:Q3003 .
  OPTIONAL { ?page schema:about ?person ; schema:isPartOf <http://en.wiki.example/> } }`,
  'employer in another country than birth': `
SELECT ?person ?employer WHERE {
  ?person wdt:P108 ?employer ; wdt:P27 ?country . ?employer wdt:P17 ?other . FILTER (?country != ?other)
  ?person wdt:P106 wd:Q4010 .
} ORDER BY ?person ?employer LIMIT 100`,
  'people with two occupations or an award': `
SELECT DISTINCT ?person WHERE {
  { ?person wdt:P106 wd:Q4000 , wd:Q4001 } UNION { ?person wdt:P166 wd:Q4700 ; wdt:P106 wd:Q4001 }
} ORDER BY ?person LIMIT 100`,
  'height by sex, with a case': `
SELECT ?group (COUNT(*) AS ?count) (AVG(?height) AS ?mean) (MIN(?height) AS ?least) WHERE {
  ?person wdt:P2048 ?height ; wdt:P21 ?sex . BIND (IF(?sex = wd:Q1020, "female", "male") AS ?group)
} GROUP BY ?group`,
}
