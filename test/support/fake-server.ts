/**
 * A server that speaks enough of PostgreSQL's protocol to report a version, or to refuse sessions.
 *
 * Source: PostgreSQL manual, chapter 55 (message formats).
 */
import {type AddressInfo, createServer, type Socket} from 'node:net'

export type FakeServer = {readonly port: number; readonly close: () => void}

/** Answers every query with one row: a process id, server_version_num, server_version and server_encoding. */
export async function startFakeServer(number: string, version: string): Promise<FakeServer> {
  return listen(socket => {
    socket.write(Buffer.concat([message('R', int32(0)), message('K', int32(1), int32(2)), ready]))
    socket.on('data', () => {
      const columns = ['pid', 'number', 'version', 'encoding'].map((name, index) => column(name, index < 2 ? 23 : 25))
      const values = ['1', number, version, 'UTF8'].map(value =>
        Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
      )
      const count = Buffer.from([0, 4])
      socket.write(
        Buffer.concat([
          message('T', count, ...columns),
          message('D', count, ...values),
          message('C', text('SELECT 1')),
          ready,
        ]),
      )
    })
  })
}

/** Refuses every session with an error. */
export async function startRefusingServer(code: string, reason: string): Promise<FakeServer> {
  return listen(socket => {
    socket.end(message('E', text('SFATAL'), text('VFATAL'), text(`C${code}`), text(`M${reason}`), Buffer.from([0])))
  })
}

/**
 * Answers the first statement. When it has received two more, it answers the first of them with an error and closes the
 * connection.
 */
export async function startBreakingServer(code: string, reason: string): Promise<FakeServer> {
  return listen(socket => {
    socket.write(Buffer.concat([message('R', int32(0)), message('K', int32(1), int32(2)), ready]))
    let asked = ''
    socket.once('data', () => socket.write(Buffer.concat([message('C', text('SELECT 0')), ready])))
    socket.on('data', bytes => {
      asked += bytes.toString('latin1')
      if (!asked.includes('first') || !asked.includes('second')) return
      const error = message('E', text('SERROR'), text('VERROR'), text(`C${code}`), text(`M${reason}`), Buffer.from([0]))
      socket.end(error)
    })
  })
}

/** The first message either asks for TLS, which is refused, or starts the session. */
function listen(greet: (socket: Socket) => void): Promise<FakeServer> {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.once('data', first => {
      if (first.length > 8) greet(socket)
      else {
        socket.write('N')
        socket.once('data', () => greet(socket))
      }
    })
  })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () =>
      resolve({port: (server.address() as AddressInfo).port, close: () => server.close()}),
    )
  })
}

const ready = message('Z', Buffer.from('I'))

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function column(name: string, oid: number): Buffer {
  return Buffer.concat([
    text(name),
    int32(0),
    Buffer.from([0, 0]),
    int32(oid),
    Buffer.from([0, 4]),
    int32(-1),
    Buffer.from([0, 0]),
  ])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}
