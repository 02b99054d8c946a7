/** Questions about the data of `catalogue`, as readers, librarians and those who keep the thesaurus ask them. */
export const cataloguePrefixes = `PREFIX lib: <http://library.example/ns#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX dct: <http://purl.org/dc/terms/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX c: <http://library.example/concept/>
PREFIX w: <http://library.example/opus/>
PREFIX a: <http://library.example/agent/>
PREFIX b: <http://library.example/branch/>
PREFIX s: <http://library.example/scheme/>
PREFIX g: <http://library.example/graph/>
`

export const catalogueQueries: Readonly<Record<string, string>> = {
  'a work with all that is said of it': `
SELECT ?p ?o WHERE { w:120 ?p ?o }`,
  'titles and creators of a subject': `
SELECT ?title ?name WHERE { ?work dct:subject c:40 ; dct:title ?title ; dct:creator/foaf:name ?name }
ORDER BY ?title ?name LIMIT 50`,
  'newest works on a subject or below it': `
SELECT ?work ?title ?year WHERE {
  ?concept skos:broader* c:12 . ?work dct:subject ?concept ; dct:title ?title ; dct:issued ?year
} ORDER BY DESC(?year) ?work LIMIT 20`,
  'concepts by a word in a label': `
SELECT ?concept ?label WHERE {
  ?concept skos:prefLabel|skos:altLabel ?label FILTER (CONTAINS(LCASE(STR(?label)), "climate") && LANG(?label) = "en")
} ORDER BY ?label ?concept`,
  'the way to the top of the thesaurus': `
SELECT ?up ?label WHERE { c:1777 skos:broader+ ?up . ?up skos:prefLabel ?label FILTER (LANG(?label) = "en") }`,
  'top concepts with the number of concepts below': `
SELECT ?top (COUNT(?concept) AS ?concepts) WHERE { ?top skos:topConceptOf ?scheme . ?concept skos:broader+ ?top }
GROUP BY ?top ORDER BY ?top`,
  'concepts without a German label': `
SELECT ?concept ?label WHERE {
  ?concept skos:inScheme s:1 ; skos:prefLabel ?label . FILTER (LANG(?label) = "en")
  FILTER NOT EXISTS { ?concept skos:prefLabel ?german FILTER (LANG(?german) = "de") }
} ORDER BY ?concept LIMIT 100`,
  'labels in the language that there is': `
SELECT ?concept (COALESCE(?french, ?german, ?english) AS ?label) WHERE {
  ?concept skos:broader c:7 .
  OPTIONAL { ?concept skos:prefLabel ?french FILTER (LANG(?french) = "fr") }
  OPTIONAL { ?concept skos:prefLabel ?german FILTER (LANG(?german) = "de") }
  OPTIONAL { ?concept skos:prefLabel ?english FILTER (LANG(?english) = "en") }
} ORDER BY ?concept`,
  'concepts with two parents': `
SELECT ?concept ?one ?other WHERE {
  ?concept skos:broader ?one, ?other FILTER (STR(?one) < STR(?other)) } ORDER BY ?concept ?one`,
  'subjects that are never used': `
SELECT (COUNT(*) AS ?n) WHERE { ?concept a skos:Concept MINUS { ?work dct:subject ?concept } }`,
  'most used subjects': `
SELECT ?concept ?label (COUNT(?work) AS ?works) WHERE {
  ?work dct:subject ?concept . ?concept skos:prefLabel ?label FILTER (LANGMATCHES(LANG(?label), "en"))
} GROUP BY ?concept ?label ORDER BY DESC(?works) ?concept LIMIT 20`,
  'subjects that occur together': `
SELECT ?one ?other (COUNT(?work) AS ?works) WHERE {
  ?work dct:subject ?one, ?other FILTER (?one != ?other && STR(?one) < STR(?other))
} GROUP BY ?one ?other HAVING (COUNT(?work) > 3) ORDER BY DESC(?works) ?one ?other LIMIT 20`,
  'works of an author, with co-authors': `
SELECT ?title (GROUP_CONCAT(?name; separator="; ") AS ?others) WHERE {
  ?work dct:creator a:3 ; dct:title ?title .
  OPTIONAL { ?work dct:creator ?other . ?other foaf:name ?name FILTER (?other != a:3) }
} GROUP BY ?work ?title ORDER BY ?title ?work LIMIT 30`,
  'authors of many works': `
SELECT ?agent ?name (COUNT(?work) AS ?works) WHERE { ?work dct:creator ?agent . ?agent foaf:name ?name }
GROUP BY ?agent ?name ORDER BY DESC(?works) ?agent LIMIT 15`,
  'living authors from a country': `
SELECT ?agent ?name ?born WHERE {
  ?agent a foaf:Person ; lib:country "AT" ; foaf:name ?name ; lib:born ?born FILTER NOT EXISTS { ?agent lib:died ?died }
} ORDER BY ?born ?agent LIMIT 25`,
  'age that authors reached, by country': `
SELECT ?country (AVG(YEAR(?died) - YEAR(?born)) AS ?age) (COUNT(*) AS ?agents) WHERE {
  ?agent lib:country ?country ; lib:born ?born ; lib:died ?died } GROUP BY ?country ORDER BY ?country`,
  'who influenced whom, three steps': `
SELECT DISTINCT ?name WHERE { a:250 lib:influencedBy/lib:influencedBy/lib:influencedBy ?agent .
  ?agent foaf:name ?name } ORDER BY ?name`,
  'all that an author was influenced by': `
SELECT (COUNT(DISTINCT ?agent) AS ?n) WHERE { a:777 lib:influencedBy+ ?agent }`,
  'authors who wrote on two subjects': `
SELECT DISTINCT ?agent WHERE {
  ?one dct:creator ?agent ; dct:subject c:3 . ?other dct:creator ?agent ; dct:subject c:8 } ORDER BY ?agent`,
  'people who influenced each other': `
SELECT ?a ?b WHERE { ?a lib:influencedBy ?b . ?b lib:influencedBy ?a FILTER (STR(?a) < STR(?b)) } ORDER BY ?a ?b`,
  'most cited works': `
SELECT ?work ?title (COUNT(?citing) AS ?n) WHERE { ?citing lib:cites ?work . ?work dct:title ?title }
GROUP BY ?work ?title ORDER BY DESC(?n) ?work LIMIT 10`,
  'works that cite a work, and are cited': `
SELECT ?citing ?next WHERE { ?citing lib:cites w:2 . ?next lib:cites ?citing } ORDER BY ?citing ?next LIMIT 40`,
  'citations across languages': `
SELECT ?from ?to (COUNT(*) AS ?n) WHERE {
  ?citing lib:cites ?cited ; dct:language ?from . ?cited dct:language ?to FILTER (?from != ?to)
} GROUP BY ?from ?to ORDER BY DESC(?n) ?from ?to`,
  'citations of younger works': `
SELECT ?citing ?cited WHERE {
  ?citing lib:cites ?cited ; dct:issued ?year ; a lib:Thesis . ?cited dct:issued ?later FILTER (?later > ?year)
} ORDER BY ?citing ?cited LIMIT 50`,
  'self-citations': `
SELECT ?agent (COUNT(*) AS ?n) WHERE { ?citing lib:cites ?cited ; dct:creator ?agent . ?cited dct:creator ?agent }
GROUP BY ?agent ORDER BY DESC(?n) ?agent LIMIT 10`,
  'works by decade and kind': `
SELECT ?decade ?kind (COUNT(?work) AS ?works) WHERE {
  ?work a ?kind ; dct:issued ?issued BIND (FLOOR(xsd:integer(STR(?issued)) / 10) * 10 AS ?decade)
  FILTER (?kind IN (lib:Book, lib:Map, lib:Score))
} GROUP BY ?decade ?kind ORDER BY ?decade ?kind`,
  'kinds with their numbers': `
SELECT ?kind (COUNT(?work) AS ?works) WHERE { ?work a ?kind } GROUP BY ?kind ORDER BY DESC(?works) ?kind`,
  'pages by language': `
SELECT ?language (AVG(?pages) AS ?mean) (MIN(?pages) AS ?least) (MAX(?pages) AS ?most) WHERE {
  ?work dct:language ?language ; lib:pages ?pages } GROUP BY ?language ORDER BY ?language`,
  'long works in German': `
SELECT ?work ?title ?pages WHERE {
  ?work dct:language "de" ; lib:pages ?pages ; dct:title ?title FILTER (?pages > 850)
} ORDER BY DESC(?pages) ?work LIMIT 25`,
  'titles that begin with a word': `
SELECT ?work ?title WHERE { ?work dct:title ?title FILTER STRSTARTS(STR(?title), "medieval trade") } ORDER BY ?work`,
  'titles by a regular expression': `
SELECT ?work ?title WHERE { ?work dct:title ?title FILTER REGEX(STR(?title), "^early .* river", "i") }
ORDER BY ?work LIMIT 30`,
  'abstracts with two words': `
SELECT ?work WHERE { ?work dct:abstract ?text
  FILTER (CONTAINS(?text, "poetry climate") || CONTAINS(?text, "bridge poetry")) } ORDER BY ?work`,
  'works without an abstract, by publisher': `
SELECT ?publisher (COUNT(?work) AS ?works) WHERE {
  ?work dct:publisher ?publisher OPTIONAL { ?work dct:abstract ?text } FILTER (!BOUND(?text))
} GROUP BY ?publisher ORDER BY DESC(?works) ?publisher LIMIT 15`,
  'versions of a version': `
SELECT ?work ?first WHERE { ?work dct:isVersionOf+ ?first FILTER NOT EXISTS { ?first dct:isVersionOf ?earlier } }
ORDER BY ?work ?first LIMIT 60`,
  'one page of the catalogue': `
SELECT ?work ?title WHERE { ?work a lib:Book ; dct:title ?title } ORDER BY ?title ?work OFFSET 200 LIMIT 20`,
  'the newest books with their first subject': `
SELECT ?work ?year (SAMPLE(?concept) AS ?subject) WHERE {
  { SELECT ?work ?year WHERE { ?work a lib:Book ; dct:issued ?year } ORDER BY DESC(?year) ?work LIMIT 10 }
  ?work dct:subject ?concept FILTER NOT EXISTS { ?work dct:subject ?less FILTER (STR(?less) < STR(?concept)) }
} GROUP BY ?work ?year ORDER BY DESC(?year) ?work`,
  'copies at a branch, with prices': `
SELECT ?barcode ?title ?price WHERE {
  ?copy lib:heldBy b:20 ; lib:barcode ?barcode ; lib:price ?price ; lib:copyOf/dct:title ?title FILTER (?price > 60)
} ORDER BY DESC(?price) ?barcode LIMIT 30`,
  'a copy by its barcode': `
SELECT ?copy ?title ?branch WHERE {
  ?copy lib:barcode "B000000800" ; lib:copyOf/dct:title ?title ; lib:heldBy/foaf:name ?branch }`,
  'value of the copies of each branch': `
SELECT ?name (SUM(?price) AS ?value) (COUNT(?copy) AS ?copies) WHERE {
  ?copy lib:heldBy ?branch ; lib:price ?price . ?branch foaf:name ?name } GROUP BY ?branch ?name ORDER BY DESC(?value)`,
  'main branches with copies below them': `
SELECT ?main (COUNT(?copy) AS ?copies) WHERE {
  ?copy lib:heldBy/lib:partOf* ?main FILTER NOT EXISTS { ?main lib:partOf ?above } }
GROUP BY ?main ORDER BY ?main`,
  'loans of a week': `
SELECT ?loan ?title ?from WHERE {
  ?loan lib:from ?from ; lib:lends/lib:copyOf/dct:title ?title
  FILTER (?from >= "2024-03-04T00:00:00Z"^^xsd:dateTime && ?from < "2024-03-11T00:00:00Z"^^xsd:dateTime)
} ORDER BY ?from ?loan`,
  'loans by month of a year': `
SELECT ?month (COUNT(?loan) AS ?loans) WHERE {
  ?loan lib:from ?from FILTER (YEAR(?from) = 2023) BIND (MONTH(?from) AS ?month) } GROUP BY ?month ORDER BY ?month`,
  'loans that are not returned': `
SELECT ?loan ?patron ?from WHERE {
  ?loan lib:from ?from ; lib:to ?patron OPTIONAL { ?loan lib:days ?days } FILTER (!BOUND(?days))
} ORDER BY ?from ?loan LIMIT 20`,
  'most borrowed works': `
SELECT ?work ?title (COUNT(?loan) AS ?loans) WHERE { ?loan lib:lends/lib:copyOf ?work . ?work dct:title ?title }
GROUP BY ?work ?title ORDER BY DESC(?loans) ?work LIMIT 10`,
  'last loan of each copy of a popular work': `
SELECT ?copy ?patron ?last WHERE {
  { SELECT ?copy (MAX(?from) AS ?last) WHERE { ?copy lib:copyOf w:250 . ?loan lib:lends ?copy ; lib:from ?from }
    GROUP BY ?copy }
  ?loan lib:lends ?copy ; lib:from ?last ; lib:to ?patron } ORDER BY ?copy`,
  'who borrowed this also borrowed': `
SELECT ?other (COUNT(DISTINCT ?patron) AS ?n) WHERE {
  ?l1 lib:lends/lib:copyOf w:300 ; lib:to ?patron . ?l2 lib:to ?patron ; lib:lends/lib:copyOf ?other
  FILTER (?other != w:300)
} GROUP BY ?other ORDER BY DESC(?n) ?other LIMIT 10`,
  'patrons who borrow at other branches': `
SELECT ?home (COUNT(*) AS ?n) WHERE {
  ?patron lib:homeBranch ?home . ?loan lib:to ?patron ; lib:lends/lib:heldBy ?branch FILTER (?branch != ?home)
} GROUP BY ?home ORDER BY DESC(?n) ?home`,
  'patrons who joined lately and have no loan': `
SELECT ?patron ?joined WHERE {
  ?patron lib:joined ?joined FILTER (?joined >= "2025-06-01"^^xsd:date) FILTER NOT EXISTS { ?loan lib:to ?patron }
} ORDER BY DESC(?joined) ?patron LIMIT 30`,
  'mean length of loans by kind of work': `
SELECT ?kind (AVG(?days) AS ?mean) WHERE { ?loan lib:days ?days ; lib:lends/lib:copyOf ?work . ?work a ?kind }
GROUP BY ?kind ORDER BY ?kind`,
  'best rated works': `
SELECT ?work (AVG(?rating) AS ?mean) (COUNT(?rating) AS ?n) WHERE { ?review lib:reviews ?work ; lib:rating ?rating }
GROUP BY ?work HAVING (COUNT(?rating) > 2) ORDER BY DESC(?mean) DESC(?n) ?work LIMIT 20`,
  'bad reviews of works on a subject': `
SELECT ?work ?text WHERE {
  ?work dct:subject/skos:broader? c:5 . ?review lib:reviews ?work ; lib:rating 2 ; lib:text ?text }
ORDER BY ?work ?text`,
  'reviewers who borrowed what they review': `
SELECT (COUNT(DISTINCT ?patron) AS ?n) WHERE {
  ?review lib:by ?patron ; lib:reviews ?work . ?loan lib:to ?patron ; lib:lends/lib:copyOf ?work }`,
  'works that some but not all like': `
SELECT ?work (MIN(?rating) AS ?least) (MAX(?rating) AS ?most) WHERE { ?review lib:reviews ?work ; lib:rating ?rating }
GROUP BY ?work HAVING (MAX(?rating) - MIN(?rating) >= 3) ORDER BY ?work LIMIT 20`,
  'graphs with their numbers of works': `
SELECT ?graph (COUNT(DISTINCT ?work) AS ?works) WHERE { GRAPH ?graph { ?work dct:title ?title } } GROUP BY ?graph
ORDER BY DESC(?works) ?graph`,
  'works of a section in Latin': `
SELECT ?work ?title WHERE {
  GRAPH <http://library.example/graph/section/3> { ?work dct:language "la" ; dct:title ?title } } ORDER BY ?work`,
  'which graphs speak of a patron': `
SELECT DISTINCT ?graph WHERE { GRAPH ?graph { { ?s ?p <http://library.example/patron/1> }
  UNION { <http://library.example/patron/1> ?p ?o } } } ORDER BY ?graph`,
  'predicates of the catalogue': `
SELECT DISTINCT ?p WHERE { ?s ?p ?o } ORDER BY ?p`,
  'properties of theses with their use': `
SELECT ?p (COUNT(?o) AS ?n) WHERE { ?work a lib:Thesis ; ?p ?o } GROUP BY ?p ORDER BY DESC(?n) ?p`,
  'incoming links of a concept': `
SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p c:0 } GROUP BY ?p ORDER BY ?p`,
  'three known works': `
SELECT ?work ?title ?year WHERE { VALUES ?work { w:1 w:77 w:4000 } ?work dct:title ?title ; dct:issued ?year }
ORDER BY ?work`,
  'works by one of two, or on a subject': `
SELECT DISTINCT ?work WHERE {
  { ?work dct:creator a:11 } UNION { ?work dct:creator a:12 } UNION { ?work dct:subject c:300 } } ORDER BY ?work`,
  'is a concept below another': `
ASK { c:1999 skos:broader+ c:2 }`,
  'works with price classes of their copies': `
SELECT ?class (COUNT(?copy) AS ?n) WHERE {
  ?copy lib:price ?price BIND (IF(?price < 10, "cheap", IF(?price < 50, "usual", "expensive")) AS ?class) }
GROUP BY ?class ORDER BY ?class`,
  'maps of rivers by subject labels': `
SELECT ?work ?label WHERE { ?work a lib:Map ; dct:subject/skos:prefLabel ?label
  FILTER (CONTAINS(?label, "river") && LANG(?label) = "en") }
ORDER BY ?label ?work LIMIT 25`,
}
