/** An issuer of tokens for a test. Its keys can be changed, and it can be switched off. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT} from 'jose'

export const audience = 'https://data.example/'

export type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>

export async function startIssuer() {
  const keys = new Map<string, KeyPair>()
  const state = {isUp: true, asked: 0}
  const server = createServer(async (request, response) => {
    state.asked += 1
    if (!state.isUp) return response.writeHead(500).end()
    response.setHeader('Content-Type', 'application/json')
    if (request.url === '/.well-known/openid-configuration')
      return response.end(JSON.stringify({issuer: url, jwks_uri: `${url}/keys`}))
    const published = await Promise.all(
      [...keys].map(async ([kid, {publicKey}]) => ({...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig'})),
    )
    response.end(JSON.stringify({keys: published}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const addKey = async (kid: string) => {
    const pair = await generateKeyPair('ES256', {extractable: true})
    keys.set(kid, pair)
    return pair
  }
  await addKey('first')
  const keyOf = (kid: string) => (keys.get(kid) as KeyPair).privateKey
  const sign = (claims: JWTPayload, kid = 'first', times = '5 minutes') =>
    new SignJWT(claims)
      .setProtectedHeader({alg: 'ES256', kid})
      .setIssuer(url)
      .setAudience(audience)
      .setExpirationTime(times)
      .sign(keyOf(kid))
  /** Signs claims and header fields of any kind, which replace the valid ones. */
  const signAs = (claims: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}) => {
    const good = {iss: url, aud: audience, exp: Math.floor(Date.now() / 1000) + 300}
    return new CompactSign(Buffer.from(JSON.stringify({...good, ...claims})))
      .setProtectedHeader({alg: 'ES256', kid: 'first', ...header})
      .sign(keyOf('first'))
  }
  return {url, keys, state, addKey, sign, signAs, stop: () => new Promise(resolve => server.close(resolve))}
}
