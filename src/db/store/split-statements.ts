/**
 * Splits a script of SQL into its statements. Source: PostgreSQL manual, "Lexical Structure".
 */

const token = new RegExp(
  [
    /--[^\n]*/, // comments, which may contain quotes and semicolons
    /\/\*[\s\S]*?\*\//,
    /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/,
    /'(?:[^']|'')*'/,
    /"(?:[^"]|"")*"/,
    /(?<![\w$])\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$/,
    /\w+|[\s\S]/,
  ]
    .map(({source}) => source)
    .join('|'),
  'g',
)

/**
 * The statements of a script. Each has as many characters before it as in the script, so that positions in errors stay
 * correct. Nested comments and bodies of the form BEGIN ATOMIC are not known.
 */
export function splitStatements(script: string): readonly string[] {
  const statements: string[] = []
  let [begin, isEmpty] = [0, true]
  const end = (at: number) => {
    if (!isEmpty) statements.push(script.slice(0, begin).replace(/[^\n]/g, ' ') + script.slice(begin, at))
    ;[begin, isEmpty] = [at + 1, true]
  }
  for (const {0: text, index} of script.matchAll(token)) {
    if (text === ';') end(index)
    else if (!/^(?:\s|--|\/\*)/.test(text)) isEmpty = false
  }
  end(script.length)
  return statements
}
