/**
 * Topics of events: the words of an event, and patterns that subscriptions match them with.
 *
 *   /topic/child.created                 events of the root
 *   /topic/*.created.projects.#          of /projects/ and all documents below it
 *
 * The first two words name the event, the others are the segments of the document's path. A segment is written with
 * encodeURIComponent and its dots as `^`. In a pattern `*` stands for one word, `#` or `**` for any number of them.
 *
 * Pure. Sources: AMQP 0-9-1 §3.1.3.3 (topic exchange); the clients of the interface.
 */
import {excerpt} from '../base/excerpt.ts'
import {StompError} from './frame.ts'

/** Words, of which '*' and '#' are wildcards. */
export type TopicPattern = readonly string[]

const prefix = '/topic/'
const wordsMax = 64

/**
 * Reads the destination of a subscription.
 *
 * @throws  StompError
 */
export function readTopic(destination: string): TopicPattern {
  if (!destination.startsWith(prefix) || destination.length === prefix.length)
    throw new StompError(`A destination is /topic/… and names events, not "${excerpt(destination)}".`)
  const words = destination.slice(prefix.length).split('.')
  if (words.length > wordsMax) throw new StompError(`A destination has at most ${wordsMax} words.`)
  return words.map(readWord)
}

function readWord(word: string): string {
  if (word === '**' || word === '#') return '#'
  if (word === '*') return word
  try {
    return wordOf(decodeURIComponent(word.replaceAll('^', '.')))
  } catch (error) {
    throw new StompError(`"${excerpt(word)}" has a broken percent-encoding.`, {cause: error})
  }
}

/** A segment of a path as a word. */
function wordOf(segment: string): string {
  return encodeURIComponent(segment).replaceAll('.', '^')
}

/**
 * The words of an event.
 *
 * @param event  'child.created'
 * @param path   of the document, relative to the base: 'projects/one/'; '' is the root
 */
export function topicOf(event: string, path: string): readonly string[] {
  const segments = path.replace(/\/$/, '')
  return [...event.split('.'), ...(segments === '' ? [] : segments.split('/').map(wordOf))]
}

/** The destination that names exactly these words. */
export function destinationOf(words: readonly string[]): string {
  return prefix + words.join('.')
}

/** Whether a pattern matches words. Takes at most words × pattern steps. */
export function isTopicMatch(pattern: TopicPattern, words: readonly string[]): boolean {
  let [at, place] = [0, 0]
  let retry: {readonly at: number; readonly place: number} | undefined // after the last '#'
  while (at < words.length) {
    if (pattern[place] === '#') {
      place += 1
      retry = {at, place}
    } else if (place < pattern.length && (pattern[place] === '*' || pattern[place] === words[at])) {
      at += 1
      place += 1
    } else if (retry !== undefined) {
      retry = {at: retry.at + 1, place: retry.place} // '#' takes one word more
      at = retry.at
      place = retry.place
    } else {
      return false
    }
  }
  return pattern.slice(place).every(word => word === '#')
}
