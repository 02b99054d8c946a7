/**
 * Queries that are kept in the browser: a draft for each tab of the query page, and the history of executed queries.
 *
 * Each draft is an entry of its own in localStorage, so that two windows do not overwrite each other's drafts. The chosen
 * draft is kept for each window. If the browser has no storage, or it is full, the drafts exist until the page is closed.
 *
 * @typedef {{text: string, contexts: boolean, checksums: boolean}} Query
 * @typedef {Query & {id: string}} Draft
 * @typedef {{text: string, time: string, outcome: string}} Past
 */

const historyLimit = 100

/** @param {string} base  the service; several may share an origin */
export function openDrafts(base) {
  const prefix = `quadstead ${new URL(base).pathname} `
  /** @type {Map<string, string>} what could not be stored */
  const memory = new Map()

  /** @param {string} key */
  function read(key) {
    try {
      const text = memory.get(key) ?? localStorage.getItem(prefix + key)
      return text === null ? undefined : JSON.parse(text)
    } catch {
      return undefined
    }
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  function write(key, value) {
    const text = JSON.stringify(value)
    try {
      localStorage.setItem(prefix + key, text)
      memory.delete(key)
      return true
    } catch {
      memory.set(key, text)
      return false
    }
  }

  /** @returns {readonly string[]} */
  function keys() {
    try {
      return [...new Set([...Object.keys(localStorage), ...[...memory.keys()].map(key => prefix + key)])]
    } catch {
      return [...memory.keys()].map(key => prefix + key)
    }
  }

  /** @returns {readonly Past[]} the latest first */
  function history() {
    const past = read('history')
    return Array.isArray(past) ? past.filter(one => typeof one?.text === 'string') : []
  }

  return {
    /** @returns {readonly Draft[]} in the order in which they were begun */
    list() {
      const start = `${prefix}draft `
      const ids = keys().flatMap(key => (key.startsWith(start) ? [key.slice(start.length)] : []))
      return ids.sort().flatMap(id => {
        const draft = read(`draft ${id}`)
        return typeof draft?.text === 'string' ? [{contexts: false, checksums: false, ...draft, id}] : []
      })
    },

    /**
     * @param {Query} query
     * @returns {Draft}
     */
    add(query) {
      const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
      write(`draft ${id}`, query)
      return {...query, id}
    },

    /**
     * @param {Draft} draft
     * @returns {boolean}  false if the browser does not keep it
     */
    keep({id, ...query}) {
      return write(`draft ${id}`, query)
    },

    /** @param {string} id */
    remove(id) {
      memory.delete(`draft ${id}`)
      try {
        localStorage.removeItem(`${prefix}draft ${id}`)
      } catch {}
    },

    /** The draft that this window shows. */
    chosen() {
      try {
        return sessionStorage.getItem(`${prefix}chosen`) ?? undefined
      } catch {
        return undefined
      }
    },

    /** @param {string} id */
    choose(id) {
      try {
        sessionStorage.setItem(`${prefix}chosen`, id)
      } catch {}
    },

    history,

    /**
     * Puts a query at the top of the history, once.
     *
     * @param {string} text
     * @param {string} outcome
     */
    remember(text, outcome) {
      if (text.trim() === '') return
      const others = history().filter(past => past.text !== text)
      write('history', [{text, outcome, time: new Date().toISOString()}, ...others].slice(0, historyLimit))
    },

    forget() {
      write('history', [])
    },

    /**
     * Calls back when another window has changed a draft or the history.
     *
     * @param {(id: string | undefined) => void} changed  id of the draft
     */
    onOtherWindow(changed) {
      addEventListener('storage', ({key}) => {
        if (key?.startsWith(prefix))
          changed(key.startsWith(`${prefix}draft `) ? key.slice(prefix.length + 6) : undefined)
      })
    },
  }
}
