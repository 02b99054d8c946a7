/**
 * The part of the OpenAPI document that describes signing in and out with a browser.
 *
 * Only included with access control.
 */
import {type Json, response, responses} from './openapi-parts.ts'
import {sessionsRoute} from './sessions.ts'
import {signInRoute, signOutRoute} from './sign-in.ts'

const page = {'text/html': {schema: {type: 'string'}}}
const options = {
  summary: 'What can be done',
  responses: responses({204: response('See the headers.', ['Allow', 'Link'])}),
}
const redirect = (where: string) => response(where, ['Location', 'Allow', 'Link'])
const shown = (what: string) => response(what, ['Allow', 'Link'], page)
const formOf = (properties: Json): Json => ({
  required: true,
  content: {'application/x-www-form-urlencoded': {schema: {type: 'object', properties}}},
})
const parameter = (name: string, description: string): Json => ({
  name,
  in: 'query',
  description,
  schema: {type: 'string'},
})
const to = parameter('to', 'Path of the page to return to; anything but a page of this service becomes the root.')
const key = {type: 'string', description: 'An API key.'}

const issuerOperations: Json = {
  summary: 'Signing in at the issuer, by OpenID Connect with PKCE',
  get: {
    summary: 'Go to the issuer',
    parameters: [to],
    responses: responses({303: redirect('The page of the issuer.')}),
  },
  options,
}

const answerOperations: Json = {
  summary: "The issuer's answer",
  get: {
    summary: 'Complete the sign-in',
    parameters: [
      parameter('code', 'From the issuer.'),
      parameter('state', 'Names the sign-in that this browser began.'),
    ],
    responses: responses({303: redirect('The page to return to, with the cookie of a session.')}),
  },
  options,
}

const sessionType = {
  type: 'object',
  required: ['id', 'client', 'means', 'begun', 'used', 'ends', 'isOwn'],
  properties: {
    id: {type: 'string', format: 'uuid'},
    client: {type: 'string', description: 'User-Agent of the browser.'},
    means: {enum: ['issuer', 'key'], description: 'How the person signed in.'},
    begun: {type: 'string', format: 'date-time'},
    used: {type: 'string', format: 'date-time', description: 'To about a minute.'},
    ends: {type: 'string', format: 'date-time', description: 'At the latest.'},
    isOwn: {type: 'boolean', description: 'It is the session that asks.'},
  },
}
const sessionsType = {
  type: 'object',
  required: ['sessions'],
  properties: {sessions: {type: 'array', items: sessionType}},
}

const sessionsOperations: Json = {
  summary: 'Sessions of the caller in browsers',
  get: {
    summary: 'Where the caller is signed in',
    responses: responses({
      200: response('Here it is.', ['Allow', 'Link'], {...page, 'application/json': {schema: sessionsType}}),
    }),
  },
  post: {
    summary: 'End sessions',
    requestBody: formOf({end: {type: 'string', description: 'Id of a session; `others`: all but the one that asks.'}}),
    responses: responses({
      303: redirect('The page again.'),
      404: response('The page again: the caller has no such session.', ['Allow', 'Link'], page),
    }),
  },
  options,
}

/** The forms of pages, which count only if Sec-Fetch-Site or Origin says that a page of the service sends them. */
export const signInPaths: Json = {
  [`/${signInRoute}`]: {
    summary: 'Signing in with a browser',
    get: {
      summary: 'The page to sign in',
      parameters: [to],
      responses: responses({200: shown('The page.'), 303: redirect('Somebody is signed in: the page to return to.')}),
    },
    post: {
      summary: 'Sign in with an API key',
      requestBody: formOf({key, to: {type: 'string'}}),
      responses: responses({
        303: redirect('The page to return to, with the cookie of a session.'),
        401: response('The page again: the key is not valid.', ['Allow', 'Link', 'Challenge'], page),
      }),
    },
    options,
  },
  [`/${signInRoute}/issuer`]: issuerOperations,
  [`/${signInRoute}/answer`]: answerOperations,
  [`/${sessionsRoute}`]: sessionsOperations,
  [`/${signOutRoute}`]: {
    summary: 'Signing out',
    get: {summary: 'The page after signing out', responses: responses({200: shown('The page.')})},
    post: {
      summary: 'Sign out, here and at the issuer',
      requestBody: formOf({}),
      responses: responses({200: shown('The session has ended. Refresh leads to the issuer, if it can end its own.')}),
    },
    options,
  },
}
