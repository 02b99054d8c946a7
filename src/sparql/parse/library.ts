/**
 * The parser library, for all of us: its tables, its reader's rules and its actions.
 *
 * The only import of sparqljs. Its package exports less, so that the file that its grammar was generated into
 * is named; the version is pinned, and test/unit/sparql/grammar.test.ts compares with the library itself.
 */
import library from 'sparqljs/lib/SparqlParser.js'

export {library}
