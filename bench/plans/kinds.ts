/** The kinds of data of bench:plans: the shop of the other benches, and those of test/plans. */
import {base, type Kind, ldp, kinds as others, platform} from '../../test/plans/kinds.ts'
import {shopData} from '../data.ts'

function* shopLines(quads: number): Generator<string> {
  for (const {text} of shopData({quads, base, platform})) yield text
}

const transitive = ['http://example.org/shop#broader', `${ldp}contains`]

export const kinds: readonly Kind[] = [{name: 'shop', write: shopLines, isRaw: false, transitive}, ...others]
