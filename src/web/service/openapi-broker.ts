/**
 * The part of the OpenAPI document that describes the broker: STOMP over WebSocket and SockJS.
 */
import {contentOf, type Json, response, responses} from './openapi-parts.ts'

const socket = response('A WebSocket, with a STOMP frame in each message. See docs/changes.md, Events.')

const info: Json = {
  type: 'object',
  required: ['websocket', 'origins', 'cookie_needed', 'entropy'],
  properties: {
    websocket: {const: true},
    origins: {type: 'array', items: {type: 'string'}},
    cookie_needed: {const: false},
    entropy: {type: 'integer'},
  },
}

const segment = (name: string, description: string): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: {type: 'string'},
})

const transports =
  'The transports of SockJS: `websocket` and `eventsource` with GET, `xhr`, `xhr_streaming` and `xhr_send` with POST. ' +
  'A service of several processes (WORKERS) has `websocket` only.'

export const brokerPaths: Json = {
  '/broker': {
    summary: 'The broker of events: STOMP 1.2',
    get: {
      summary: 'A greeting, by which clients know a SockJS service',
      responses: responses({200: response('The greeting.', [], contentOf(['text/plain']))}),
    },
  },
  '/broker/info': {
    summary: 'What a client of SockJS asks first',
    get: {
      summary: 'What the broker can do',
      responses: responses({200: response('As SockJS defines it.', [], {'application/json': {schema: info}})}),
    },
  },
  '/broker/websocket': {
    summary: 'STOMP over a WebSocket',
    get: {summary: 'Opens a WebSocket, with the subprotocol v12.stomp', responses: responses({101: socket})},
  },
  '/broker/{server}/{session}/{transport}': {
    summary: 'STOMP over SockJS',
    description: transports,
    parameters: [
      segment('server', 'Any word, for balancers.'),
      segment('session', 'Chosen by the client.'),
      segment('transport', 'How frames are carried.'),
    ],
    get: {
      summary: 'Opens a WebSocket, or receives frames as server-sent events',
      responses: responses({101: socket, 200: response('Frames.', [], contentOf(['text/event-stream']))}),
    },
    post: {
      summary: 'Receives frames, or sends them',
      requestBody: {content: {'application/json': {schema: {type: 'array', items: {type: 'string'}}}}},
      responses: responses({
        200: response('Frames.', [], contentOf(['application/javascript'])),
        204: response('The frames were accepted (xhr_send).'),
      }),
    },
  },
}
