/** STOMP 1.2 frames: reading in any pieces, escapes, limits, and the way back. */
import test from 'ava'
import fc from 'fast-check'
import {createFrameReader, StompError, type StompFrame, writeFrame} from '../../../src/stomp/frame.ts'

const limits = {headBytes: 1000, headers: 10, bodyBytes: 1000}

const read = (text: string) => createFrameReader(limits).read(Buffer.from(text)).map(plain)
const plain = ({command, headers, body}: StompFrame) => ({command, headers: [...headers], body: body.toString()})

test('frames are read, with heart-beats between them and either end of line', t => {
  t.deepEqual(
    read('\n\r\nCONNECT\naccept-version:1.2\n\n\0\n\nSUBSCRIBE\r\nid:1\r\ndestination:/topic/a\r\n\r\n\0\n'),
    [
      {command: 'CONNECT', headers: [['accept-version', '1.2']], body: ''},
      {
        command: 'SUBSCRIBE',
        headers: [
          ['id', '1'],
          ['destination', '/topic/a'],
        ],
        body: '',
      },
    ],
  )
})

test('a body ends at its content-length, which counts bytes, or at the first NUL', t => {
  t.deepEqual(
    read('SEND\ncontent-length:5\n\né\0é\0SEND\n\nab\0').map(({body}) => body),
    ['é\0é', 'ab'],
  )
})

test('headers are unescaped, of repeated ones the first counts, and CONNECT has no escapes', t => {
  t.deepEqual(read('SEND\na\\cb:\\r\\n\\\\\nx:1\nx:2\ny:a:b\n\n\0')[0]?.headers, [
    ['a:b', '\r\n\\'],
    ['x', '1'],
    ['y', 'a:b'],
  ])
  t.deepEqual(read('CONNECT\npasscode:a\\tb\n\n\0')[0]?.headers, [['passcode', 'a\\tb']])
})

for (const [text, message] of [
  ['SEND\nx:\\t\n\n\0', '"\\t" is no escape of STOMP 1.2.'],
  ['SEND\nx:\\\n\n\0', '"\\" is no escape of STOMP 1.2.'],
  ['SEND\nnothing\n\n\0', '"nothing" is no header: it has no name and colon.'],
  ['SEND\n:x\n\n\0', '":x" is no header: it has no name and colon.'],
  ['SEND\ncontent-length:-1\n\n\0', 'content-length must be a number of bytes, not "-1".'],
  ['SEND\ncontent-length:1\n\nab\0', 'A NUL must follow the 1 bytes of the body.'],
  ['SEND\ncontent-length:1001\n\n', 'The body of a frame is longer than 1000 bytes.'],
  [`SEND\n\n${'x'.repeat(1001)}`, 'The body of a frame is longer than 1000 bytes.'],
  ['x'.repeat(1001), 'The head of a frame is longer than 1000 bytes.'],
  [`SEND\n${'a:b\n'.repeat(11)}\n\0`, 'A frame has more than 10 headers.'],
] as const)
  test(`refused: ${JSON.stringify(text.slice(0, 30))}: ${message}`, t => {
    t.throws(() => read(text), {instanceOf: StompError, message})
  })

const name = fc.string({minLength: 1, maxLength: 8, unit: 'binary'})
const frames = fc.array(
  fc.record({
    command: fc.constantFrom('MESSAGE', 'SUBSCRIBE', 'ERROR'),
    headers: fc.dictionary(
      name.filter(one => one !== 'content-length' && one !== '__proto__'),
      fc.string({unit: 'binary', maxLength: 10}),
      {maxKeys: 5},
    ),
    body: fc.string({unit: 'binary', maxLength: 50}),
  }),
  {maxLength: 4},
)

test('what is written is read again, in pieces of any size', t => {
  fc.assert(
    fc.property(frames, fc.integer({min: 1, max: 40}), (written, size) => {
      const bytes = Buffer.from(
        written.map(({command, headers, body}) => writeFrame(command, headers, body)).join('\n'),
      )
      const reader = createFrameReader({...limits, headBytes: 10_000})
      const found: StompFrame[] = []
      for (let at = 0; at < bytes.length; at += size) found.push(...reader.read(bytes.subarray(at, at + size)))
      const sized = written.map(({command, headers, body}) => ({
        command,
        headers: Object.entries(body === '' ? headers : {...headers, 'content-length': `${Buffer.byteLength(body)}`}),
        body,
      }))
      t.deepEqual(found.map(plain), sized)
    }),
  )
})
