/**
 * Assets and naming that all pages of one service share.
 */
import type {Iri} from '../../rdf/term.ts'
import type {PlatformVocabulary} from '../../rdf/vocabulary.ts'
import {type Assets, readAssets} from './assets.ts'
import {localPath} from './link.ts'
import {createNames} from './names.ts'
import type {HtmlSite} from './view.ts'

export type Pages = {readonly site: HtmlSite; readonly files: Assets}

type PagesOptions = {
  readonly base: Iri
  readonly platform: PlatformVocabulary
  readonly prefixes: Readonly<Record<string, Iri>>
  readonly hasHistory: boolean
  readonly hasSearch: boolean
}

export function createPages({base, platform, prefixes, hasHistory, hasSearch}: PagesOptions): Pages {
  const files = readAssets()
  const assets = `${localPath(base)}.system/assets/${files.hash}/`
  return {files, site: {base, platform, names: createNames(base, prefixes), assets, hasHistory, hasSearch}}
}
