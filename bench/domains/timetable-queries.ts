/** Questions about the data of `timetable`, as those who plan or use public transport ask them. */
export const timetablePrefixes = `PREFIX gtfs: <http://vocab.gtfs.org/terms#>
PREFIX geo: <http://www.w3.org/2003/01/geo/wgs84_pos#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX dct: <http://purl.org/dc/terms/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX t: <http://transit.example/>
PREFIX stop: <http://transit.example/stop/>
`

export const timetableQueries: Readonly<Record<string, string>> = {
  'next departures at a stop': `
SELECT ?time ?headsign ?line WHERE {
  ?st gtfs:stop stop:3 ; gtfs:departureTime ?time ; gtfs:trip ?trip .
  ?trip gtfs:headsign ?headsign ; gtfs:route ?route . ?route gtfs:shortName ?line
  FILTER (?time >= "08:00:00")
} ORDER BY ?time ?trip LIMIT 10`,
  'departures of a station on a weekday': `
SELECT ?stop ?time ?trip WHERE {
  ?stop gtfs:parentStation stop:10 . ?st gtfs:stop ?stop ; gtfs:departureTime ?time ; gtfs:trip ?trip .
  ?trip gtfs:service/gtfs:serviceRule ?rule . ?rule gtfs:monday true .
  FILTER (?time >= "07:00:00" && ?time < "07:30:00")
} ORDER BY ?time ?st LIMIT 40`,
  'the stops of a trip in order': `
SELECT ?sequence ?name ?arrival WHERE {
  ?st gtfs:trip <http://transit.example/trip/7-3> ; gtfs:stopSequence ?sequence ;
    gtfs:arrivalTime ?arrival ; gtfs:stop/foaf:name ?name }
ORDER BY ?sequence`,
  'direct connections between two stops': `
SELECT ?trip ?leave ?arrive WHERE {
  ?a gtfs:stop stop:2 ; gtfs:trip ?trip ; gtfs:stopSequence ?i ; gtfs:departureTime ?leave .
  ?b gtfs:stop stop:5 ; gtfs:trip ?trip ; gtfs:stopSequence ?j ; gtfs:arrivalTime ?arrive . FILTER (?i < ?j)
} ORDER BY ?leave ?trip`,
  'connections with one change': `
SELECT ?change (MIN(?arrive) AS ?earliest) WHERE {
  ?a gtfs:stop stop:40 ; gtfs:trip ?t1 ; gtfs:departureTime ?leave ; gtfs:stopSequence ?i1 .
  ?b gtfs:trip ?t1 ; gtfs:stop ?change ; gtfs:arrivalTime ?at ; gtfs:stopSequence ?j1 .
  ?c gtfs:stop ?change ; gtfs:trip ?t2 ; gtfs:departureTime ?on ; gtfs:stopSequence ?i2 .
  ?d gtfs:trip ?t2 ; gtfs:stop stop:77 ; gtfs:arrivalTime ?arrive ; gtfs:stopSequence ?j2 .
  FILTER (?leave >= "08:00:00" && ?leave < "09:00:00" && ?i1 < ?j1 && ?i2 < ?j2 && ?on > ?at && ?t1 != ?t2)
} GROUP BY ?change ORDER BY ?earliest ?change LIMIT 10`,
  'busiest stops': `
SELECT ?stop ?name (COUNT(?st) AS ?calls) WHERE { ?st gtfs:stop ?stop . ?stop foaf:name ?name }
GROUP BY ?stop ?name ORDER BY DESC(?calls) ?stop LIMIT 20`,
  'trips by hour': `
SELECT ?hour (COUNT(DISTINCT ?trip) AS ?trips) WHERE {
  ?st gtfs:stopSequence 1 ; gtfs:departureTime ?time ; gtfs:trip ?trip . BIND (SUBSTR(?time, 1, 2) AS ?hour)
} GROUP BY ?hour ORDER BY ?hour`,
  'routes by type and agency': `
SELECT ?agency ?type (COUNT(DISTINCT ?route) AS ?routes) (COUNT(?trip) AS ?trips) WHERE {
  ?route gtfs:agency ?agency ; gtfs:routeType ?type . ?trip gtfs:route ?route
} GROUP BY ?agency ?type HAVING (COUNT(?trip) > 50) ORDER BY DESC(?trips) ?agency ?type`,
  'length of trips in stops, by route': `
SELECT ?route (MAX(?n) AS ?stops) (COUNT(DISTINCT ?trip) AS ?trips) WHERE {
  ?trip gtfs:route ?route . ?st gtfs:trip ?trip ; gtfs:stopSequence ?n . ?route gtfs:routeType gtfs:Rail
} GROUP BY ?route ORDER BY DESC(?stops) ?route LIMIT 15`,
  'last stop of each trip of a route': `
SELECT ?trip ?name ?last WHERE {
  { SELECT ?trip (MAX(?n) AS ?last) WHERE {
      ?trip gtfs:route <http://transit.example/route/12> . ?st gtfs:trip ?trip ; gtfs:stopSequence ?n } GROUP BY ?trip }
  ?end gtfs:trip ?trip ; gtfs:stopSequence ?last ; gtfs:stop ?stop . ?stop foaf:name ?name
}`,
  'accessible stops of a zone and those within': `
SELECT ?stop ?name WHERE {
  ?stop gtfs:zone/gtfs:within* <http://transit.example/zone/2> ; foaf:name ?name ; gtfs:wheelchairAccessible true }`,
  'stops in a box': `
SELECT ?stop ?lat ?long WHERE { ?stop geo:lat ?lat ; geo:long ?long .
  FILTER (?lat > 50.4 && ?lat < 50.5 && ?long > 4.2 && ?long < 4.3) }`,
  'stops without service': `
SELECT ?stop ?name WHERE { ?stop a gtfs:Stop ; foaf:name ?name . FILTER NOT EXISTS { ?st gtfs:stop ?stop } }
ORDER BY ?stop LIMIT 50`,
  'stops without a label in Dutch': `
SELECT (COUNT(*) AS ?count) WHERE {
  ?stop a gtfs:Stop OPTIONAL { ?stop rdfs:label ?label FILTER (LANG(?label) = "nl") } FILTER (!BOUND(?label)) }`,
  'services that run on a day': `
SELECT ?service WHERE {
  { ?service gtfs:serviceRule ?rule . ?rule gtfs:startDate ?from ; gtfs:endDate ?to ; gtfs:wednesday true .
    FILTER (?from <= "2026-05-13"^^xsd:date && ?to >= "2026-05-13"^^xsd:date)
    FILTER NOT EXISTS { ?service gtfs:serviceRule ?e . ?e dct:date "2026-05-13"^^xsd:date ; gtfs:dateAddition false } }
  UNION { ?service gtfs:serviceRule ?e . ?e dct:date "2026-05-13"^^xsd:date ; gtfs:dateAddition true }
}`,
  'trips that run on weekends, by agency': `
SELECT ?name (COUNT(DISTINCT ?trip) AS ?trips) WHERE {
  ?agency foaf:name ?name . ?route gtfs:agency ?agency . ?trip gtfs:route ?route ; gtfs:service ?service .
  ?service gtfs:serviceRule ?rule . ?rule gtfs:saturday true
} GROUP BY ?name ORDER BY DESC(?trips) ?name`,
  'reachable by transfers': `
SELECT DISTINCT ?stop WHERE { stop:12 (^gtfs:originStop/gtfs:destinationStop)+ ?stop }`,
  'short transfers with names': `
SELECT ?from ?to ?seconds WHERE {
  ?transfer gtfs:originStop ?a ; gtfs:destinationStop ?b ; gtfs:minimumTransferTime ?seconds . FILTER (?seconds <= 120)
  ?a foaf:name ?from . ?b foaf:name ?to
} ORDER BY ?seconds ?from ?to`,
  'lines that share at least five stops': `
SELECT ?other (COUNT(DISTINCT ?stop) AS ?shared) WHERE {
  ?t1 gtfs:route <http://transit.example/route/20> .
  ?a gtfs:trip ?t1 ; gtfs:stop ?stop . ?b gtfs:stop ?stop ; gtfs:trip ?t2 . ?t2 gtfs:route ?other .
  FILTER (?other != <http://transit.example/route/20>)
} GROUP BY ?other HAVING (COUNT(DISTINCT ?stop) >= 5) ORDER BY DESC(?shared) ?other LIMIT 10`,
  'stops by text in the name': `
SELECT ?stop ?name WHERE { ?stop foaf:name ?name . FILTER (REGEX(?name, "^harbour.*museum", "i")) }`,
  'describe a stop': `DESCRIBE stop:33`,
  'describe trips of a block': `CONSTRUCT { ?trip ?p ?o } WHERE { ?trip gtfs:block "B17" ; ?p ?o }`,
  'a graph of a route': `
CONSTRUCT { ?trip gtfs:route ?route . ?st gtfs:trip ?trip ; gtfs:stop ?stop ; gtfs:departureTime ?time } WHERE {
  BIND (<http://transit.example/route/31> AS ?route)
  ?trip gtfs:route ?route . ?st gtfs:trip ?trip ; gtfs:stop ?stop ; gtfs:departureTime ?time
}`,
  'trips in blocks that change route': `
SELECT ?block (COUNT(DISTINCT ?route) AS ?routes) WHERE { ?trip gtfs:block ?block ; gtfs:route ?route }
GROUP BY ?block HAVING (COUNT(DISTINCT ?route) > 9) ORDER BY DESC(?routes) ?block LIMIT 20`,
  'quads of each graph': `
SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s gtfs:trip ?o } } GROUP BY ?g ORDER BY DESC(?n) ?g`,
  'trips of one operator, by graph': `
SELECT ?trip ?headsign WHERE {
  GRAPH <http://transit.example/graph/agency/4> { ?trip a gtfs:Trip ; gtfs:headsign ?headsign ; gtfs:direction 1 } }
ORDER BY ?trip LIMIT 30`,
  'calls that need a phone, by zone': `
SELECT ?zone (COUNT(*) AS ?calls) WHERE { ?st gtfs:pickupType gtfs:MustPhone ; gtfs:stop ?stop . ?stop gtfs:zone ?zone }
GROUP BY ?zone ORDER BY DESC(?calls) ?zone`,
  'first and last bus of several stops': `
SELECT ?stop (MIN(?time) AS ?first) (MAX(?time) AS ?last) WHERE {
  VALUES ?stop { stop:1 stop:4 stop:9 stop:16 stop:25 stop:3600 } ?st gtfs:stop ?stop ; gtfs:departureTime ?time
} GROUP BY ?stop`,
  'waits longer than scheduled, by kind of route': `
SELECT ?type (COUNT(*) AS ?waits) WHERE {
  ?st gtfs:arrivalTime ?a ; gtfs:departureTime ?d ; gtfs:trip/gtfs:route/gtfs:routeType ?type . FILTER (?a != ?d)
} GROUP BY ?type ORDER BY ?type`,
  'neighbours of a stop': `
SELECT DISTINCT ?next ?name WHERE {
  ?a gtfs:stop stop:50 ; gtfs:trip ?trip ; gtfs:stopSequence ?i .
  ?b gtfs:trip ?trip ; gtfs:stopSequence ?j ; gtfs:stop ?next . ?next foaf:name ?name .
  FILTER (?j = ?i + 1)
}`,
  'stops of many lines, with position': `
SELECT ?stop ?lat (COUNT(DISTINCT ?route) AS ?routes) (IF(?lat > 50.5, "north", "south") AS ?half) WHERE {
  ?st gtfs:stop ?stop ; gtfs:trip/gtfs:route ?route . ?stop geo:lat ?lat
} GROUP BY ?stop ?lat HAVING (COUNT(DISTINCT ?route) > 40) ORDER BY DESC(?routes) ?stop LIMIT 20`,
}
