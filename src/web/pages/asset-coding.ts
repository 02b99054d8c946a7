/**
 * Compresses assets once, as far as the coding allows.
 *
 * Assets never change while the process runs, so their best compression costs once and not for each request. It takes
 * some seconds for the largest, in a thread of libuv. Meanwhile they are compressed as usual (server/compression).
 */
import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'
import type {ContentCoding} from '../../http/content-coding.ts'
import type {Asset} from './assets.ts'

const coders = {br: promisify(brotliCompress), gzip: promisify(gzip)}
const shortest = 1000 // bytes; shorter assets are not compressed

const coded = new Map<string, Buffer | undefined>() // by coding, hash and name; undefined: not finished yet

/** @returns  undefined until the asset is compressed, and if that is not worth it */
export function codedAsset(
  {bytes}: Asset,
  {coding, key}: {readonly coding: ContentCoding; readonly key: string},
): Buffer | undefined {
  const place = `${coding} ${key}`
  if (coded.has(place) || bytes.length < shortest) return coded.get(place)
  coded.set(place, undefined)
  const options = coding === 'br' ? {params: {[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length}} : {level: 9}
  coders[coding](bytes, options).then(
    best => coded.set(place, best),
    () => coded.delete(place), // the next request tries again
  )
  return undefined
}
