import org.apache.jena.atlas.web.HttpException;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.rdf.model.StmtIterator;
import org.apache.jena.rdfconnection.RDFConnection;
import org.apache.jena.rdfconnection.RDFConnectionRemote;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;

/**
 * Reads and writes a service with Jena's RDFConnection: queries, updates and the graph store.
 *
 * Usage: java JenaClient.java URL. Prints what it has done, a line each; fails at the first difference.
 */
class JenaClient {
  static final String EX = "http://example.org/ns#";
  static final String[] SERVICE = {"https://carbonldp.com/ns/v1/platform#", "http://www.w3.org/ns/ldp#"};

  public static void main(String[] arguments) {
    String base = arguments[0];
    String name = base + "jena/";
    RDFConnection connection = RDFConnectionRemote.newBuilder()
        .queryEndpoint(base + "sparql").updateEndpoint(base + "sparql").gspEndpoint(base + "rdf-graph-store").build();

    Model emma = parse("<> <p#title> 'Emma'@en ; <p#year> 01815 ; <p#part> [ <p#title> 'One' ] .", name);
    connection.put(name, emma);
    same(connection.fetch(name), emma, name, "put of a new graph");

    Model more = parse("<> <p#part> [ <p#title> 'Two' ] ; <p#price> 9.90 .", name);
    connection.load(name, more);
    Model both = ModelFactory.createUnion(emma, more);
    same(connection.fetch(name), both, name, "load");

    connection.put(name, more);
    same(connection.fetch(name), more, name, "put of a graph that exists");

    Model read = connection.fetch(name);
    connection.put(name, read);
    same(connection.fetch(name), more, name, "put of what was fetched");

    Model constructed = connection.queryConstruct("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <" + name + "> { ?s ?p ?o } }");
    same(constructed, more, name, "query");

    connection.update("DELETE DATA { GRAPH <" + name + "> { <" + name + "> <" + name + "p#price> 9.90 } }");
    more.remove(parse("<> <p#price> 9.90 .", name));
    same(connection.fetch(name), more, name, "update");

    Model union = connection.fetch();
    if (!union.containsAll(parse("<" + base + "> <http://www.w3.org/ns/ldp#contains> <" + name + "> .", name)))
      throw new IllegalStateException("the default graph lacks " + name);
    System.out.println("fetch of the default graph");

    connection.delete(name);
    try {
      connection.fetch(name);
      throw new IllegalStateException("the graph is still there");
    } catch (HttpException error) {
      if (error.getStatusCode() != 404) throw error;
      System.out.println("delete");
    }
    connection.close();
  }

  static Model parse(String text, String base) {
    Model model = ModelFactory.createDefaultModel();
    RDFParser.create().fromString(text).lang(Lang.TURTLE).base(base).parse(model);
    return model;
  }

  static void same(Model found, Model expected, String name, String what) {
    Model own = ModelFactory.createDefaultModel();
    for (StmtIterator each = found.listStatements(); each.hasNext();) {
      var statement = each.next();
      if (!isOfService(statement.getPredicate().toString()) && !isOfService(statement.getObject().toString()))
        own.add(statement);
    }
    if (!own.isIsomorphicWith(expected)) throw new IllegalStateException(what + ": " + own + "\nexpected: " + expected);
    System.out.println(what);
  }

  static boolean isOfService(String text) {
    for (String prefix : SERVICE) if (text.startsWith(prefix)) return true;
    return false;
  }
}
