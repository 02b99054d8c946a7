/**
 * The parser tables, lexer rules and actions of sparqljs. No other file imports sparqljs.
 *
 * The package does not export them, so this imports its generated file. The version is pinned, and
 * test/unit/sparql/grammar.test.ts compares the results with those of the library.
 */
import library from 'sparqljs/lib/SparqlParser.js'

export {library}
