/**
 * Corner cases of LD Patch's syntax and semantics: a graph, a patch, and the resulting graph, in Turtle.
 *
 * Prefixes are those of `patching.ts`. Sources: LD Patch §3, §4; Turtle §6.5.
 */
export type Corner = {readonly title: string; readonly graph: string; readonly patch: string; readonly result: string}

function corner(title: string, graph: string, patch: string, result: string): Corner {
  return {title, graph, patch, result}
}

const list = ':s :l ( "a" "b" "c" "d" ) .'

export const corners: readonly Corner[] = [
  corner('an integer before the final dot', '', 'Add { :s :p 1. } .', ':s :p 1 .'),
  corner('a decimal and a double before the dot', '', 'Add { :s :p 1.5. :t :p 1.e0.}.', ':s :p 1.5 . :t :p 1.e0 .'),
  corner('signs and leading zeros are kept', '', 'Add { :s :p +1, -0, 007, -.5E+3 } .', ':s :p +1, -0, 007, -.5E+3 .'),
  corner('booleans stand before dots and braces', '', 'Add { :s :p true, false} .', ':s :p true, false .'),
  corner(
    'words of the language are prefixes too',
    '',
    '@prefix a: <http://a/> . @prefix true: <http://t/> . @prefix Add: <http://x/> . Add { a:a a:a true:false , Add:Add } .',
    '<http://a/a> <http://a/a> <http://t/false>, <http://x/Add> .',
  ),
  corner(
    'escapes in local names',
    '',
    "Add { :a\\~b\\.c\\-d\\!e\\$f\\&g\\'h\\(i\\)j\\*k\\+l\\,m\\;n\\=o\\/p\\?q\\#r\\@s\\%t\\_u :p 1 } .",
    "<http://e/a~b.c-d!e$f&g'h(i)j*k+l,m;n=o/p?q#r@s%t_u> :p 1 .",
  ),
  corner(
    'percent signs in local names stay',
    '',
    'Add { :%41%c3 :p :a%2F. } .',
    '<http://e/%41%c3> :p <http://e/a%2F> .',
  ),
  corner(
    'colons and digits in local names',
    '',
    'Add { :1:2 :p ::, :a:b. } .',
    '<http://e/1:2> :p <http://e/:>, <http://e/a:b> .',
  ),
  corner(
    'dots and hyphens inside prefixes and labels',
    '',
    '@prefix a.b-c: <http://e/> . Add { a.b-c:x :p _:l.m-n. _:l.m-n :q 1. } .',
    ':x :p [ :q 1 ] .',
  ),
  corner('an empty local name, and the empty prefix', '', 'Add { : rdf: xsd: } .', '<http://e/> rdf: xsd: .'),
  corner(
    'escapes in IRIs',
    '',
    'Add { <http://e/\\u00e9\\U0001F600> :p <http://e/%20> } .',
    '<http://e/é😀> :p <http://e/%20> .',
  ),
  corner('letters beyond ASCII', '', 'Add { :ñandú :größe "日本"@ja, :𝒜 } .', ':ñandú :größe "日本"@ja, :𝒜 .'),
  corner(
    'variables beyond ASCII',
    ':s :p :o .',
    'Bind ?größe_1 :s/:p . Add { ?größe_1 :q 1 } .',
    ':s :p :o . :o :q 1 .',
  ),
  corner(
    'strings of four kinds',
    '',
    `Add { :s :p "a'b", 'a"b', """a
"b" ""c""", '''d
\\'''' } .`,
    `:s :p "a'b", "a\\"b", "a\\n\\"b\\" \\"\\"c", "d\\n'" .`,
  ),
  corner(
    'every escape of a string',
    '',
    'Add { :s :p "\\t\\b\\n\\r\\f\\"\\\'\\\\\\u0041" } .',
    ':s :p "\\t\\b\\n\\r\\f\\"\\\'\\\\A" .',
  ),
  corner(
    'braces, dots and signs inside strings',
    '',
    'Add { :s :p "} . Add { #", <http://e/#x> } .',
    ':s :p "} . Add { #", <http://e/#x> .',
  ),
  corner('comments wherever a blank may stand', '', '#\nAdd#{\r{#\n:s#.\n:p#}\n:o#\r\n}#\n.#', ':s :p :o .'),
  corner(
    'no blanks where none are needed',
    ':s :p :o .',
    'Bind?x:s/:p .Add{?x:q"v"@en,<http://e/o>}.',
    ':s :p :o . :o :q "v"@en, :o .',
  ),
  corner(
    'tags keep their case',
    ':s :p "a"@EN .',
    'Delete { :s :p "a"@en } . Add { :s :p "a"@en-Latn-GB } .',
    ':s :p "a"@EN, "a"@en-Latn-GB .',
  ),
  corner(
    'semicolons without end, and a dot',
    '',
    'Add { :s :p 1 ;; ; :q 2 ; ; . :t a :c ; } .',
    ':s :p 1 ; :q 2 . :t a :c .',
  ),
  corner(
    'nested property lists and collections',
    '',
    'Add { :s :p [ :q ( 1 [ :r ( () ) ] "x" ) ; a :c , [] ] . ( 1 ) :in :s . [ :t 1 ] . } .',
    ':s :p [ :q ( 1 [ :r ( () ) ] "x" ) ; a :c , [] ] . ( 1 ) :in :s . [ :t 1 ] .',
  ),
  corner(
    'variables in collections and property lists',
    ':s :p :o .',
    'Bind ?x :s / :p . Add { :s :l ( ?x [ :r ?x ] ) . ?x a ?x } .',
    ':s :p :o ; :l ( :o [ :r :o ] ) . :o a :o .',
  ),
  corner('Delete and Add of one triple leave it', ':s :p 1 .', 'Delete { :s :p 1 } . Add { :s :p 1 } .', ':s :p 1 .'),
  corner('Add and Delete of one triple take it out', ':s :p 1 .', 'Add { :s :p 1 , 2 } . Delete { :s :p 1 , 2 } .', ''),
  corner(
    'a base of its own',
    '',
    '@base <http://e/> . @prefix q: <q#> . Add { <s> q:p <../t> , <?x> , <> } .',
    ':s <http://e/q#p> :t, <http://e/?x>, <http://e/> .',
  ),

  corner(
    'a path through a list and back',
    `${list} :t :p "c" .`,
    'Bind ?x :s /:l /2 /^:p . Add { ?x :q 1 } .',
    `${list} :t :p "c" ; :q 1 .`,
  ),
  corner('an index from the end', list, 'Bind ?x :s /:l /-2 . Add { :s :is ?x } .', `${list} :s :is "c" .`),
  corner(
    'steps after an index',
    ':s :l ( :a :b ) . :b :p 7 .',
    'Bind ?x :s/:l/1/:p . Add { :s :is ?x } .',
    ':s :l ( :a :b ) ; :is 7 . :b :p 7 .',
  ),
  corner(
    'constraints that nest, compare and go back',
    ':s :p :a, :b . :a :n "x" ; :k 1 . :b :n "x" ; :k 2 . :r :has :b .',
    'Bind ?x :s /:p [/:n = "x"] [/^:has] [/:k [= 2]] ! . Add { ?x :found true } .',
    ':s :p :a, :b . :a :n "x" ; :k 1 . :b :n "x" ; :k 2 ; :found true . :r :has :b .',
  ),
  corner(
    'a constraint with an index',
    ':s :p :a, :b . :a :l ( 1 2 ) . :b :l ( 2 1 ) .',
    'Bind ?x :s /:p [/:l /0 = 2] . Add { ?x :q 1 } .',
    ':s :p :a, :b . :a :l ( 1 2 ) . :b :l ( 2 1 ) ; :q 1 .',
  ),
  corner(
    'a literal where a path begins',
    ':s :mail "m" .',
    'Bind ?x "m" /^:mail . Add { ?x :ok true } .',
    ':s :mail "m" ; :ok true .',
  ),
  corner(
    'a variable bound to a variable',
    ':s :p :o .',
    'Bind ?x :s /:p . Bind ?y ?x . Delete { :s :p ?y } . Add { ?y :q ?x } .',
    ':o :q :o .',
  ),
  corner(
    'Cut takes a tree and leaves what is shared by name',
    ':s :p [ :q [ :r 1 ] ; :t :u ] . :u :v 2 .',
    'Bind ?x :s /:p . Cut ?x .',
    ':u :v 2 .',
  ),
  corner('Cut of one list cell takes the list behind it', list, 'Bind ?x :s /:l . Cut ?x .', ''),

  corner(
    'a slice inserts before the first item',
    list,
    'UpdateList :s :l 0..0 ( "x" [ :p 1 ] ) .',
    ':s :l ( "x" [ :p 1 ] "a" "b" "c" "d" ) .',
  ),
  corner('a slice without begin', list, 'UpdateList :s :l ..1 ( ) .', ':s :l ( "b" "c" "d" ) .'),
  corner(
    'a slice without end, from the end',
    list,
    'UpdateList :s :l -1.. ( "y" "z" ) .',
    ':s :l ( "a" "b" "c" "y" "z" ) .',
  ),
  corner('a slice to an index from the end', list, 'UpdateList :s :l 1..-1 ( ) .', ':s :l ( "a" "d" ) .'),
  corner('a slice of neither appends', list, 'UpdateList :s :l .. ( "e" ) .', ':s :l ( "a" "b" "c" "d" "e" ) .'),
  corner('a slice of the length appends', list, 'UpdateList :s :l 4..4 ( "e" ) .', ':s :l ( "a" "b" "c" "d" "e" ) .'),
  corner('the whole list becomes another', list, 'UpdateList :s :l 0.. ( ( 1 ) :y ) .', ':s :l ( ( 1 ) :y ) .'),
  corner(
    'updates one after the other',
    list,
    'UL :s :l 1..2 () . UL :s :l 1..2 () . UL :s :l 0..1 ( "A" ) .',
    ':s :l ( "A" "d" ) .',
  ),
  corner(
    'an update of a list found by a path',
    ':s :p [ :l ( 1 2 ) ] .',
    'Bind ?x :s /:p . UpdateList ?x :l 0..1 ( ) .',
    ':s :p [ :l ( 2 ) ] .',
  ),
  corner(
    'an update of a list of lists',
    ':s :l ( ( 1 ) ( 2 ) ) .',
    'UpdateList :s :l 0..1 ( ( 3 4 ) ) .',
    ':s :l ( ( 3 4 ) ( 2 ) ) .',
  ),
  corner(
    'the sequence clients write: list emptied, then its nil deleted',
    ':s :l ( "a" "b" ) ; :name "n" .',
    'UpdateList :s :l 0.. (). Add { :s :name "m"; :m ( "p" "q" ). }. Delete { :s :l (); :name "n". }.',
    ':s :name "m" ; :m ( "p" "q" ) .',
  ),
]

/** Invalid patches with the status of the error; the graph is that of the lists above. */
export const refusedCorners: readonly (readonly [title: string, patch: string, status: number])[] = [
  ['a keyword in small letters', 'bind ?x :s .', 400],
  ['a keyword in capitals', 'ADD { :s :p 1 } .', 400],
  ['a variable as predicate', 'Bind ?x :s . Add { :s ?x 1 } .', 400],
  ['a literal as subject', 'Add { "s" :p 1 } .', 400],
  ['an empty block', 'Delete { } .', 400],
  ['two dots in a block', 'Add { :s :p 1 .. } .', 400],
  ['a missing dot behind the block', 'Add { :s :p 1 }', 400],
  ['a prefix behind an operation', 'Add { :s :p 1 } . @prefix q: <http://q/> .', 400],
  ['a prefix that is not declared', 'Add { q:s :p 1 } .', 400],
  ['a prefix of other case', '@prefix Q: <http://q/> . Add { q:s :p 1 } .', 400],
  ['a variable that is not bound', 'Add { ?x :p 1 } .', 400],
  ['a variable of other case', 'Bind ?x :s . Add { ?X :p 1 } .', 400],
  ['a space in an IRI', 'Add { <http://e/a b> :p 1 } .', 400],
  ['an unknown escape in an IRI', 'Add { <http://e/\\n> :p 1 } .', 400],
  ['a half escape in a name', 'Add { :a%4 :p 1 } .', 400],
  ['a line end in a short string', 'Add { :s :p "a\nb" } .', 400],
  ['a tag and a datatype', 'Add { :s :p "a"@en^^xsd:string } .', 400],
  ['a list that does not close', 'Add { :s :p ( 1 . } .', 400],
  ['a formula', 'Add { { :s :p :o } :p 1 } .', 400],
  ['a slice that ends before it begins', 'UpdateList :s :l 3..1 () .', 400],
  ['a slice of decimals', 'UpdateList :s :l 1.0..2 () .', 400],
  ['a Cut of an IRI', 'Cut :s .', 400],
  ['a label beyond the document in Cut', 'Cut _:nobody .', 400],
  ['a slice beyond the end', 'UpdateList :s :l 2..5 () .', 422],
  ['a slice before the beginning', 'UpdateList :s :l -5.. () .', 422],
  ['a slice that crosses itself from both ends', 'UpdateList :s :l 3..-3 () .', 422],
  ['an index beyond the end', 'Bind ?x :s /:l /4 .', 422],
  ['an index before the beginning', 'Bind ?x :s /:l /-5 .', 422],
  ['a path of many ends', 'Bind ?x :s /:l /^:l /:l /^rdf:rest .', 422],
  ['a list that is none', 'UpdateList :s :none 0.. () .', 422],
  ['AddNew of what is there', 'Bind ?x :s /:l . AddNew { :s :l ?x } .', 422],
  ['DeleteExisting of what is not', 'DeleteExisting { :s :l () } .', 422],
  ['a good operation before a bad one', 'Add { :s :p 1 } . DE { :s :q 1 } .', 422],
]
