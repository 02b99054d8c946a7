import java.io.StringReader;
import java.util.stream.Stream;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.Statement;
import org.eclipse.rdf4j.model.impl.LinkedHashModel;
import org.eclipse.rdf4j.model.util.Models;
import org.eclipse.rdf4j.model.util.Values;
import org.eclipse.rdf4j.query.QueryResults;
import org.eclipse.rdf4j.repository.RepositoryConnection;
import org.eclipse.rdf4j.repository.sparql.SPARQLRepository;
import org.eclipse.rdf4j.rio.RDFFormat;
import org.eclipse.rdf4j.rio.Rio;

/**
 * Reads and writes a service with RDF4J's SPARQLRepository, and reads its graph store with Rio.
 *
 * Usage: java Rdf4jClient.java URL. Prints what it has done, a line each; fails at the first difference.
 */
class Rdf4jClient {
  static final String[] SERVICE = {"https://carbonldp.com/ns/v1/platform#", "http://www.w3.org/ns/ldp#"};

  public static void main(String[] arguments) throws Exception {
    String base = arguments[0];
    IRI name = Values.iri(base + "rdf4j/");
    SPARQLRepository repository = new SPARQLRepository(base + "sparql", base + "sparql");
    try (RepositoryConnection connection = repository.getConnection()) {
      Model emma = parse("<> <p#title> 'Emma'@en ; <p#year> 01815 ; <p#by> <#jane> .", name);
      connection.add(emma, name);
      same(read(connection, name), emma, "add");

      Model year = parse("<> <p#year> 01815 .", name);
      connection.remove(year, name);
      emma.removeAll(year);
      same(read(connection, name), emma, "remove");

      connection.begin();
      Model nodes = parse("<> <p#part> [ <p#title> 'One' ] , [ <p#title> 'Two' ] .", name);
      connection.add(nodes, name);
      connection.add(parse("<> <p#price> 9.90 .", name), name);
      connection.commit();
      emma.addAll(nodes);
      emma.addAll(parse("<> <p#price> 9.90 .", name));
      same(read(connection, name), emma, "transaction");

      connection.prepareUpdate("DELETE WHERE { GRAPH <" + name + "> { ?s <" + name + "p#price> ?o } }").execute();
      emma.removeAll(parse("<> <p#price> 9.90 .", name));
      same(read(connection, name), emma, "update");

      String construct = "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <" + name + "> { ?s ?p ?o } }";
      same(QueryResults.asModel(connection.prepareGraphQuery(construct).evaluate()), emma, "query");

      String store = base + "rdf-graph-store?graph=" + java.net.URLEncoder.encode(name.toString(), "UTF-8");
      try (var stream = new java.net.URL(store).openStream()) {
        same(Rio.parse(stream, store, RDFFormat.TURTLE), emma, "graph store: read");
      }

      connection.clear(name);
      same(read(connection, name), new LinkedHashModel(), "clear");
    }
    repository.shutDown();
  }

  static Model read(RepositoryConnection connection, IRI name) {
    return QueryResults.asModel(connection.getStatements(null, null, null, false, name));
  }

  static Model parse(String text, IRI base) throws Exception {
    return Rio.parse(new StringReader(text), base.toString(), RDFFormat.TURTLE);
  }

  static void same(Model found, Model expected, String what) {
    Model own = new LinkedHashModel();
    for (Statement each : found)
      if (!isOfService(each.getPredicate().toString()) && !isOfService(each.getObject().stringValue()))
        own.add(each.getSubject(), each.getPredicate(), each.getObject());
    if (!Models.isomorphic(own, expected)) throw new IllegalStateException(what + ": " + own + "\nexpected: " + expected);
    System.out.println(what);
  }

  static boolean isOfService(String text) {
    return Stream.of(SERVICE).anyMatch(text::startsWith);
  }
}
