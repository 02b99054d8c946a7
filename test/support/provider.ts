/** An OpenID Connect provider for a test: the certified `oidc-provider`, on loopback. It signs everybody in at once. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import Provider, {type Configuration} from 'oidc-provider'

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

type Options = {
  readonly base: string // of the service
  readonly clientSecret?: string | undefined // undefined: a public client
}

export const clientId = 'quadstead'

/**
 * Starts a provider with one client. `state.account` is who signs in next, unless the browser still has a session at
 * the provider; undefined: the provider refuses.
 */
export async function startProvider({base, clientSecret}: Options) {
  const state = {account: 'ada' as string | undefined, claims: {} as Record<string, unknown>, asked: 0}
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, configurationFor({base, clientSecret, state}))
  const callback = provider.callback()
  server.on('request', async (request, response) => {
    state.asked += 1
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const {account} = state
    const {prompt, params, grantId, session} = await provider.interactionDetails(request, response)
    if (account === undefined) {
      const refusal = {error: 'access_denied', error_description: 'nobody is there'}
      return provider.interactionFinished(request, response, refusal)
    }
    if (prompt.name === 'login') return provider.interactionFinished(request, response, {login: {accountId: account}})
    const grant =
      (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
      new provider.Grant({accountId: session?.accountId ?? account, clientId: String(params.client_id)})
    grant.addOIDCScope(String(params.scope))
    await provider.interactionFinished(request, response, {consent: {grantId: await grant.save()}})
  })
  return {url, state, stop: () => new Promise(resolve => server.close(resolve).closeAllConnections())}
}

type Asked = Options & {readonly state: {readonly claims: Record<string, unknown>}}

function configurationFor({base, clientSecret, state}: Asked): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [`${base}.system/sign-in/answer`],
        post_logout_redirect_uris: [`${base}.system/sign-out`],
        ...(clientSecret === undefined ? {token_endpoint_auth_method: 'none'} : {client_secret: clientSecret}),
      },
    ],
    claims: {openid: ['sub', 'webid', 'groups'], profile: ['name']},
    findAccount: (_, id) => ({accountId: id, claims: () => ({sub: id, name: `Name of ${id}`, ...state.claims})}),
    interactions: {url: (_, {uid}) => `/interaction/${uid}`},
    features: {devInteractions: {enabled: false}},
    cookies: {keys: ['a key of the test']},
    pkce: {required: () => true},
  }
}
