"""Reads and writes a service with rdflib: its SPARQL store, and graphs parsed from the graph store.

Usage: rdflib_client.py URL        prints what it has done, a line each; fails at the first difference
"""
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from rdflib import Dataset, Graph, Literal, Namespace, URIRef
from rdflib.compare import isomorphic
from rdflib.plugins.stores.sparqlstore import SPARQLUpdateStore

base = sys.argv[1]
ex = Namespace("http://example.org/ns#")
name = URIRef(base + "rdflib/")
place = f"{base}rdf-graph-store?graph={quote(name, safe='')}"
service = ["https://carbonldp.com/ns/v1/platform#", "http://www.w3.org/ns/ldp#"]


def own(graph):
    """The triples without those of the service."""
    kept = Graph()
    for s, p, o in graph:
        if s != name or not any(text.startswith(prefix) for text in (p, o) for prefix in service):
            kept.add((s, p, o))
    return kept


def same(graph, expected, what):
    if not isomorphic(own(graph), expected):
        sys.exit(f"{what}:\n{own(graph).serialize(format='nt')}\nexpected:\n{expected.serialize(format='nt')}")
    print(what)


def send(method, graph=None):
    body = None if graph is None else graph.serialize(format="turtle", encoding="utf-8")
    request = Request(place, data=body, method=method, headers={"Content-Type": "text/turtle"})
    with urlopen(request) as answer:
        return answer.status


dataset = Dataset(SPARQLUpdateStore(base + "sparql", base + "sparql"), default_union=True)
remote = dataset.graph(name)
expected = Graph()

emma = [(name, ex.title, Literal("Emma", lang="en")), (name, ex.year, Literal(1815)), (name, ex.by, ex.jane)]
for triple in emma:
    expected.add(triple)
remote.addN([(*triple, remote) for triple in emma])
same(remote, expected, "add")

remote.remove((name, ex.year, None))
expected.remove((name, ex.year, None))
same(remote, expected, "remove")

dataset.update(
    f"DELETE {{ GRAPH <{name}> {{ ?s ?p ?o }} }} INSERT {{ GRAPH <{name}> {{ ?s ?p 'Emma' }} }} "
    f"WHERE {{ GRAPH <{name}> {{ ?s ?p ?o FILTER (LANG(?o) = 'en') }} }}"
)
expected.set((name, ex.title, Literal("Emma")))
same(remote, expected, "update")

[(title,)] = dataset.query(f"SELECT ?title {{ <{name}> <{ex.title}> ?title }}")
assert title == Literal("Emma"), title
print("query")

same(Graph().parse(place, format="turtle"), expected, "graph store: read")

replaced = Graph().parse(format="turtle", data=f"<{name}> <{ex.part}> [ <{ex.title}> 'One', 'Two'@en-GB ] .")
assert send("PUT", replaced) == 204
same(Graph().parse(place), replaced, "graph store: put")

added = Graph().parse(format="turtle", data=f"<{name}> <{ex.part}> [ <{ex.title}> 'Three' ] .")
assert send("POST", added) == 204
for triple in added:
    replaced.add(triple)
same(Graph().parse(place, format="xml"), replaced, "graph store: post")

default = Graph().parse(f"{base}rdf-graph-store?default", format="turtle")
assert (name, ex.part, None) in default and (URIRef(base), None, name) in default, "default graph"
print("graph store: default graph")

dataset.remove_graph(remote)
try:
    send("GET")
    sys.exit("the graph is still there")
except HTTPError as error:
    assert error.code == 404, error
print("drop")
