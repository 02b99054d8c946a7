/**
 * Many texts packed as one text and their end offsets, for a cheap transfer between threads.
 *
 * Pure. A structured clone of 100,000 strings blocks both threads for tens of milliseconds. A clone of the packed form
 * takes less than one.
 */
export type PackedTexts = {readonly text: string; readonly ends: Uint32Array}

export function packTexts(texts: readonly string[]): PackedTexts {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += text.length
    ends[index] = end
  }
  return {text: texts.join(''), ends}
}

export function* unpackTexts({text, ends}: PackedTexts): Generator<string> {
  let start = 0
  for (const end of ends) {
    yield text.slice(start, end)
    start = end
  }
}
