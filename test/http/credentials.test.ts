/** Authentication: bearer tokens of an issuer, API keys, and invalid credentials. */
import test, {type ExecutionContext} from 'ava'
import {exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT} from 'jose'
import {createTokenReader} from '../../src/authentication/access-tokens.ts'
import type {Problem} from '../../src/base/problem.ts'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {audience, type KeyPair, startIssuer, type TestIssuer} from '../support/issuer.ts'

let issuer: TestIssuer
let service: GuardedService

test.before(async () => {
  issuer = await startIssuer()
  service = await startGuarded({ACCESS: 'auto', JWT_ISSUER: issuer.url, JWT_AUDIENCE: audience})
  await service.grant('/', {
    'agent https://people.example/ada#me': ['read'],
    [`agent ${issuer.url}#by%7Csubject`]: ['read'],
    'group readers': ['read'],
    [`agent ${agentOf('remembered')}`]: ['read'],
  })
})
test.after.always(async () => {
  await service.stop()
  await issuer.stop()
})

const read = (authorization: string) => service.send({headers: {Authorization: authorization}})

async function statusWith(token: string): Promise<number> {
  return (await read(`Bearer ${token}`)).status
}

test('a token identifies the agent of its claim, otherwise of issuer and subject, and its groups', async t => {
  t.is(await statusWith(await issuer.sign({webid: 'https://people.example/ada#me'})), 200)
  t.is(await statusWith(await issuer.sign({sub: 'by|subject'})), 200)
  t.is(await statusWith(await issuer.sign({sub: 'somebody', groups: ['x', 'readers']})), 200)
  t.is(await statusWith(await issuer.sign({sub: 'somebody', groups: 'readers'})), 200)
  t.is(await statusWith(await issuer.sign({sub: 'somebody'})), 403)
  t.is(await statusWith(await issuer.sign({sub: 'somebody', webid: 'https://people.example/eve#me'})), 403)
})

async function refusedBy(t: ExecutionContext, authorization: string, reason: string): Promise<void> {
  const {status, headers, text} = await read(authorization)

  t.deepEqual([status, JSON.parse(text).title], [401, 'credentials-valid'], reason)
  t.is(headers['www-authenticate'], `Bearer realm="quadstead", error="invalid_token", error_description="${reason}"`)
}

test('an invalid token is refused with the reason', async t => {
  const ada = {webid: 'https://people.example/ada#me'}
  const first = issuer.keys.get('first') as KeyPair
  const other = await generateKeyPair('ES256')
  const signed = (token: SignJWT, key: Parameters<SignJWT['sign']>[0] = first.privateKey) => token.sign(key)
  const token = (header: {alg: string; kid?: string}) =>
    new SignJWT(ada).setProtectedHeader(header).setIssuer(issuer.url).setAudience(audience).setExpirationTime('1h')
  const ours = {alg: 'ES256', kid: 'first'}
  const publicText = new TextEncoder().encode(await exportSPKI(first.publicKey))

  await refusedBy(t, `Bearer ${await issuer.sign(ada, 'first', '1 hour ago')}`, 'the token has expired')
  const mistaken = 'the token is for another issuer, audience or time'
  await refusedBy(t, `Bearer ${await signed(token(ours).setAudience('https://other.example/'))}`, mistaken)
  await refusedBy(t, `Bearer ${await signed(token(ours).setIssuer('https://other.example/'))}`, mistaken)
  await refusedBy(t, `Bearer ${await signed(token(ours).setNotBefore('10 minutes'))}`, mistaken)
  const endless = new SignJWT(ada).setProtectedHeader(ours).setIssuer(issuer.url).setAudience(audience)
  await refusedBy(t, `Bearer ${await signed(endless)}`, mistaken)
  const notSigned = 'the signature does not match the token'
  await refusedBy(t, `Bearer ${await signed(token(ours), other.privateKey)}`, notSigned)
  const forbidden = 'the signature algorithm is not allowed'
  await refusedBy(t, `Bearer ${await signed(token({alg: 'HS256', kid: 'first'}), publicText)}`, forbidden)
  const unsecured = new UnsecuredJWT(ada).setIssuer(issuer.url).setAudience(audience).setExpirationTime('1h').encode()
  await refusedBy(t, `Bearer ${unsecured}`, forbidden)
  await refusedBy(
    t,
    `Bearer ${await signed(token({alg: 'ES256', kid: 'unknown'}))}`,
    'the issuer has no key that matches the token',
  )
  await refusedBy(t, `Bearer ${await issuer.sign({webid: 'no IRI', sub: 'x'})}`, 'the token does not identify an agent')
  await refusedBy(t, `Bearer ${await issuer.sign({})}`, 'the token does not identify an agent')
  for (const sub of ['\ud800', 'a\udfffb', '\0', 5, {}, ['x'], null])
    await refusedBy(t, `Bearer ${await issuer.signAs({sub})}`, 'the token does not identify an agent')
  for (const webid of ['https://people.example/\ud800', 'https://people.example/\0', 5, [], {}, ''])
    await refusedBy(t, `Bearer ${await issuer.signAs({webid, sub: 'x'})}`, 'the token does not identify an agent')
  for (const groups of ['\ud800', ['readers', 'x\udfff'], ['\0']])
    await refusedBy(
      t,
      `Bearer ${await issuer.signAs({sub: 'x', groups})}`,
      'a group name has characters that cannot be stored',
    )
  await refusedBy(t, `Bearer ${await issuer.signAs({sub: 'x', iss: `${issuer.url}\ud800`})}`, mistaken)
  await refusedBy(t, `Bearer ${await issuer.signAs({sub: 'x', aud: ['\ud800']})}`, mistaken)
  await refusedBy(t, 'Bearer nonsense', 'it is not a JSON Web Token')
  await refusedBy(t, 'Basic YWRhOnNlY3JldA==', 'only the Bearer scheme is supported')
  await refusedBy(t, 'Bearer', 'only the Bearer scheme is supported')
  await refusedBy(t, 'Bearer qsk_unknown', 'the key is unknown or has expired')
})

test('without credentials a caller is anonymous, and a 401 asks for them', async t => {
  const {status, headers, text} = await service.send()

  t.deepEqual([status, JSON.parse(text).title], [401, 'authentication-required'])
  t.is(headers['www-authenticate'], 'Bearer realm="quadstead"')
  t.is((await service.send({path: '/live'})).status, 200)
  t.is((await service.send({path: '/ready'})).status, 200)
})

test('an issuer may change its keys, and be unavailable', async t => {
  const rotating = await startIssuer()
  t.teardown(rotating.stop)
  const options = {
    issuer: rotating.url,
    audience,
    keysUrl: undefined,
    algorithms: ['ES256'],
    clockToleranceSeconds: 0,
    agentClaim: 'webid',
    groupsClaim: 'groups',
  }
  const readToken = createTokenReader(options, {cooldownDuration: 0})
  const old = await rotating.sign({sub: 'x'})
  const caller = {agent: `${rotating.url}#x`, groups: [], means: 'token' as const}

  rotating.state.isUp = false
  const away = await t.throwsAsync<Problem>(readToken(old))
  t.like(away, {status: 503, rule: 'authentication-available'})
  rotating.state.isUp = true
  t.deepEqual(await readToken(old), caller)
  const {asked} = rotating.state
  t.deepEqual(await readToken(old), caller)
  t.is(rotating.state.asked, asked) // its keys are cached

  await rotating.addKey('second')
  rotating.keys.delete('first')
  t.deepEqual(await readToken(await rotating.sign({sub: 'x'}, 'second')), caller)
  t.like(await t.throwsAsync<Problem>(readToken(old)), {status: 401, rule: 'credentials-valid'})
})

test('a key is looked up once while it is cached; a removed key works until then', async t => {
  const authorization = await service.authorizationOf('remembered')
  const forgetful = await startGuarded({API_KEY_CACHE_MS: '0'})
  t.teardown(forgetful.stop)
  const other = await forgetful.authorizationOf('reader')
  await forgetful.grant('/', {[`agent ${agentOf('reader')}`]: ['read']})
  const statuses = async (of: GuardedService, header: string) =>
    (await of.send({headers: {Authorization: header}})).status

  t.is(await statuses(service, authorization), 200)
  t.is(await statuses(forgetful, other), 200)
  for (const one of [service, forgetful]) await one.database.database.query('delete from quadstead.api_key')
  t.is(await statuses(service, authorization), 200)
  t.is(await statuses(forgetful, other), 401)
})

test('an expired key is invalid', async t => {
  const forgetful = await startGuarded({API_KEY_CACHE_MS: '0'})
  t.teardown(forgetful.stop)
  const authorization = await forgetful.authorizationOf('root')

  t.is((await forgetful.send({headers: {Authorization: authorization}})).status, 200)
  await forgetful.database.database.query(`update quadstead.api_key set expires = now() - interval '1 second'`)
  t.is((await forgetful.send({headers: {Authorization: authorization}})).status, 401)
})
